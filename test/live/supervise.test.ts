import { testSupervision } from './supervise.case.ts'

testSupervision()
