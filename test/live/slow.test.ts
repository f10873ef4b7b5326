import { testSlowReaders } from './slow.case.ts'

testSlowReaders()
