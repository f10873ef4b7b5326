import { testPartitionsAtLength } from './partitions.case.ts'

testPartitionsAtLength()
