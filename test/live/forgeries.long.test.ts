import { ALL_FORGERIES, testForgeries } from './forgeries.case.ts'

testForgeries({
  depth: 1000,
  before: 60,
  forgeries: ALL_FORGERIES,
  extents: ['one height', 'every height'],
  places: ['while catching up', 'at the tip'],
  reordered: ['at the tip', 'while catching up'],
})
