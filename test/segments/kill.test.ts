import { testSealerKills } from './kill.case.ts'

testSealerKills(1)
