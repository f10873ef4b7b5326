import { loadConfig } from '../../../src/config/load.ts'

/** Plans of the tests: 49 and 199 USD for 30 days, and one that is not sold. */
export const PLANS = [
  { name: 'free', requests_per_second: 100 },
  { name: 'developer', requests_per_second: 50, sold: true, price: '49', description: 'For applications' },
  { name: 'business', requests_per_second: 250, sold: true, price: '199.00' },
  { name: 'partner', requests_per_second: 500 },
]

export const { plans: CONFIGS } = loadConfig({ env: {}, overrides: { access: { plans: PLANS } } }).access
