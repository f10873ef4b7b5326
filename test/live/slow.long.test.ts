import { testSlowReadersAtLength } from './slow.case.ts'

testSlowReadersAtLength()
