import { testSupervisionAtLength } from './supervise.case.ts'

testSupervisionAtLength()
