import { testFaultsAtLength } from './faults.case.ts'

testFaultsAtLength()
