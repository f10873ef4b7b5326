import { testReceiver } from './faults.case.ts'

testReceiver(20)
