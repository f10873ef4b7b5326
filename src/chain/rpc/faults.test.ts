import { testFaults } from './faults.case.ts'

testFaults()
