import { testFirstStart, testSecondStart } from './demo.case.ts'

testFirstStart()
testSecondStart()
