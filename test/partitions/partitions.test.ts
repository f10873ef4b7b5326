import { testPartitions } from './partitions.case.ts'

testPartitions()
