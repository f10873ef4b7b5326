import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../config/load.ts'
import { baseUrlFrom, PAY_DEFAULTS, settingsFrom } from './from-config.ts'
import { checkSettings } from './settings.ts'

const ENV = {
  PAID_EVM_CHAIN_ID: '8453',
  PAID_EVM_RPC_URL: 'https://chain.example.org',
  PAID_EVM_TOKEN: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  PAID_RECIPIENT: `0x${'ab'.repeat(20)}`,
  PAID_SECRET_KEY: 's'.repeat(40),
  PAID_SETTLER_KEY: `0x${'cd'.repeat(32)}`,
  PAID_BASE_URL: 'https://paid.example.org/',
}

function plan(overrides: Record<string, unknown> = {}) {
  const { paid } = loadConfig({ env: ENV, overrides: { paid: overrides } })
  return settingsFrom(paid, baseUrlFrom(paid, 'http://127.0.0.1:9878'))
}

test('times of a payment come from the configuration, with the documented defaults', () => {
  const { challengeTtlS, confirmTimeoutMs, pollMs, leaseMs, confirmations } = plan()
  assert.deepEqual(
    { challengeTtlS, confirmTimeoutMs, pollMs, confirmations },
    {
      challengeTtlS: 300,
      confirmTimeoutMs: 15_000,
      pollMs: 500,
      confirmations: 1,
    },
  )
  assert.ok(leaseMs > confirmTimeoutMs)
  const set = plan({ challenge_ttl_s: 60, confirm_timeout_ms: 40_000, poll_ms: 100, confirmations: 3 })
  assert.deepEqual([set.challengeTtlS, set.confirmTimeoutMs, set.pollMs, set.confirmations], [60, 40_000, 100, 3])
  assert.ok(set.leaseMs > set.confirmTimeoutMs)
})

test('limits come from the configuration too', () => {
  assert.deepEqual(plan().limits, PAY_DEFAULTS.limits)
  const { limits } = plan({ limits: { challenges_per_second: 5, unsold_burst: 7 } })
  assert.deepEqual(limits, { ...PAY_DEFAULTS.limits, challengesPerS: 5, unsoldBurst: 7 })
})

test('an offer that lives too short for its payment to be mined is refused', () => {
  assert.throws(() => loadConfig({ env: ENV, overrides: { paid: { challenge_ttl_s: 10 } } }), /challenge_ttl_s/)
})

test('offers name the public address and its host, not where the server listens', () => {
  const { baseUrl, realm } = plan()
  assert.deepEqual([baseUrl, realm], ['https://paid.example.org', 'paid.example.org'])
})

test('a public address that is none is a sentence among the others', () => {
  const settings = plan({ base_url: 'https://paid example.org' })
  assert.throws(() => checkSettings(settings), /base_url: not a URL/)
})
