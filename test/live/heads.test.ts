import { testHeads } from './heads.case.ts'

testHeads()
