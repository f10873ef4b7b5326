import { testRandomForks } from './random-forks.case.ts'

testRandomForks(4)
