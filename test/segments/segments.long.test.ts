import { testLaterSegments, testSegments } from './segments.case.ts'

testSegments({ isRevisited: true })
testLaterSegments()
