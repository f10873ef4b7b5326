import { testLives } from './staking-random.case.ts'

testLives([1, 4, 7, 11, 12, 13, 14, 15])
