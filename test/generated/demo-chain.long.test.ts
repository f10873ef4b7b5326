import { testDemoChainAtLength } from './demo-chain.case.ts'

testDemoChainAtLength()
