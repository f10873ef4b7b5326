import { testReplaysAtLength } from './replay.case.ts'

testReplaysAtLength()
