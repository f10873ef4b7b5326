import { testHangingReceiver, testReceiver } from './faults.case.ts'

testReceiver(1)
testHangingReceiver()
