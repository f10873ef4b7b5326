import { testNodes } from './nodes.case.ts'

testNodes()
