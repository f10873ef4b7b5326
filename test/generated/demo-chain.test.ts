import { testDemoChain } from './demo-chain.case.ts'

testDemoChain()
