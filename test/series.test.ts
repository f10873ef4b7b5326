import { testSeries } from './series.case.ts'

testSeries({ length: 120, tampered: 2 })
