import { testKills } from './kill.case.ts'

testKills(60)
