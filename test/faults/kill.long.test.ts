import { testKills } from './kill.case.ts'

testKills('devnet', 60)
