import { testForgeries } from './forgeries.case.ts'

testForgeries({ depth: 160, before: 20, forgeries: ['events added'], extents: ['one height'], reordered: ['at the tip'] })
