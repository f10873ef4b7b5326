import { testCauses, testHistory } from './history.case.ts'

testHistory([['devnet', [40, 150]]], [1, 60])
testCauses()
