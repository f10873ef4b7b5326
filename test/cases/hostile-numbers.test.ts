import { testHostileNumbers } from './hostile-numbers.case.ts'

testHostileNumbers()
