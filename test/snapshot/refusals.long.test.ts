import { testRefusalsAtLength } from './refusals.case.ts'

testRefusalsAtLength()
