import { testHostileNumbersAtLength } from './hostile-numbers.case.ts'

testHostileNumbersAtLength()
