import { testFirstStart } from './demo.case.ts'

testFirstStart(2)
