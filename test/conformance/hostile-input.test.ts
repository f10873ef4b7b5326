import { testParameters } from './hostile-input.case.ts'

testParameters({ values: 3, words: 6 })
