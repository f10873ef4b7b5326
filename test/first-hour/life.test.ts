import { testLife } from './life.case.ts'

testLife()
