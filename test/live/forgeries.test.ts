import { testForgeries } from './forgeries.case.ts'

testForgeries({
  depth: 110,
  before: 10,
  forgeries: ['events added'],
  extents: ['one height'],
  places: ['while catching up'],
  reordered: ['at the tip'],
})
