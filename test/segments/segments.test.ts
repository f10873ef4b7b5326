import { testSegments } from './segments.case.ts'

testSegments({ isRevisited: false })
