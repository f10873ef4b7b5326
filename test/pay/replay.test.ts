import { testReplays } from './replay.case.ts'

testReplays()
