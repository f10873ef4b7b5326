import { testDeterminism } from './determinism.case.ts'

testDeterminism()
