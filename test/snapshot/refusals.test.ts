import { testRefusals } from './refusals.case.ts'

testRefusals()
