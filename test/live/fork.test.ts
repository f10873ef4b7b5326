import { testForks } from './fork.case.ts'

testForks()
