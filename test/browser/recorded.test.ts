/** All in one process: they share one browser and one served chain, which take longer to start than most of the tests. */
import './recorded/numbers.ts'
import './recorded/operator.ts'
import './recorded/pages.ts'
import './recorded/places.ts'
import './recorded/reach.ts'
import './recorded/verify.ts'
import './recorded/webhooks.ts'
