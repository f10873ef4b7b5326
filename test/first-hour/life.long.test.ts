import { testLifeAtLength } from './life.case.ts'

testLifeAtLength()
