import { testKills } from './kills.case.ts'

testKills({ purchases: 400, kills: 40, faults: 20, forks: 5 })
