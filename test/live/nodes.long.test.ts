import { testNodesAtLength } from './nodes.case.ts'

testNodesAtLength()
