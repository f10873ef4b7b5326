import { testSeries } from './series.case.ts'

testSeries({ length: 400, tampered: 15 })
