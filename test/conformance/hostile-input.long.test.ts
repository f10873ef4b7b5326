import { testParameters } from './hostile-input.case.ts'

testParameters({ values: 40, words: 120 })
