import { testPast } from './generator.case.ts'

testPast()
