import { testForksAtLength } from './fork.case.ts'

testForksAtLength()
