/** All in one process: they share one browser and one served chain, which take longer to start than most of the tests. */
import './recorded/layout.ts'
import './recorded/places.ts'
import './recorded/verify.ts'
import { testPages } from './recorded/every-page.ts'
import { testShifts } from './recorded/shifts.ts'

testShifts(['overview'])
testPages(['overview', 'tx-paid'])
