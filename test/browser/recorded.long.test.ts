/** Every page at every width, and all that a visitor can do with it. */
import './recorded/layout.ts'
import './recorded/numbers.ts'
import './recorded/operator.ts'
import './recorded/pages.ts'
import './recorded/reach.ts'
import './recorded/webhooks.ts'
import { testPages } from './recorded/every-page.ts'
import { testShifts } from './recorded/shifts.ts'

testPages()
testShifts()
