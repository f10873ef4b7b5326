import { testCauses, testHistory } from './history.case.ts'

testHistory([['devnet', [40, 241, 316]]], [1, 60])
testCauses()
