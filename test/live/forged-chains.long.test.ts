import { testForgedChainsAtLength } from './forged-chains.case.ts'

testForgedChainsAtLength()
