// Fuzzes a running key surface from its own description with schemathesis (PyPI: `pip install schemathesis`).
//   node scripts/fuzz-api.mjs http://127.0.0.1:9876 [examples per operation]
// No 5xx, no undeclared status or content type, no answer that breaks its schema. Checks that every input the description does not
// list is refused are left out: the contract takes more than it says (0 for "not given", other encodings of a hash).
import { spawnSync } from 'node:child_process'

const [base, examples = '20'] = process.argv.slice(2)
if (!base) {
  console.error('usage: node scripts/fuzz-api.mjs BASE_URL [examples per operation]')
  process.exit(2)
}
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
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
const { status, error } = spawnSync('st', args, { stdio: 'inherit' })
if (error) console.error('schemathesis is not installed: pip install schemathesis')
process.exit(status ?? 2)
