import { testKills } from './kills.case.ts'

testKills({ purchases: 400, kills: 40 })
