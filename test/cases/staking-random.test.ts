import { testLives } from './staking-random.case.ts'

testLives([2])
