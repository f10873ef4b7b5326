import { testDeterminismAtLength } from './determinism.case.ts'

testDeterminismAtLength()
