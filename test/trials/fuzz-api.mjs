// Fuzzes a running key surface from its own description with schemathesis (PyPI: `pip install schemathesis`).
//   node test/trials/fuzz-api.mjs http://127.0.0.1:9876 [examples per operation] [--inputs]
// No 5xx, no undeclared status or content type, no answer that breaks its schema. `--inputs` also compares which inputs the description
// allows and which the server takes. What is left there is the contract's: an empty text or 0 means "not given", content that does not
// exist is 400, `/v1/stats/summary` needs a column for every function but `count`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const comparesInputs = process.argv.includes('--inputs')
const [base, examples = '20'] = process.argv.slice(2).filter((word) => word !== '--inputs')
if (!base) {
  console.error('usage: node test/trials/fuzz-api.mjs BASE_URL [examples per operation]')
  process.exit(2)
}
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
  ...(comparesInputs ? ['negative_data_rejection', 'positive_data_acceptance'] : []),
]
const args = [
  'run',
  `${base}/openapi.json`,
  '--url',
  base,
  '--max-examples',
  examples,
  '--request-timeout',
  '10',
  '--checks',
  checks.join(','),
  // Neither ever ends.
  '--exclude-path-regex',
  '/v1/(sse|ws)$',
]
const { status, error } = spawnSync('st', args, {
  stdio: 'inherit',
  env: { ...process.env, SCHEMATHESIS_HOOKS: join(dirname(fileURLToPath(import.meta.url)), 'fuzz_hooks.py') },
})
if (error) console.error('schemathesis is not installed: pip install schemathesis')
process.exit(status ?? 2)
