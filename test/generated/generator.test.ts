import { testGenerator, testPast } from './generator.case.ts'

testGenerator()
testPast(150)
