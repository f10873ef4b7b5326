import { testForgedChains } from './forged-chains.case.ts'

testForgedChains()
