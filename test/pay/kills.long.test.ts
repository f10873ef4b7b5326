import { testKills } from './kills.case.ts'

testKills({ purchases: 300, kills: 30, faults: 15, forks: 5 })
