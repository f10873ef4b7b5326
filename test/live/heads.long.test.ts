import { testHeadsAtLength } from './heads.case.ts'

testHeadsAtLength()
