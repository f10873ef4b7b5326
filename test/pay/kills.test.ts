import { testKills } from './kills.case.ts'

testKills({ purchases: 8, kills: 1 })
