import { testRestarts } from './restart.case.ts'

testRestarts(380)
