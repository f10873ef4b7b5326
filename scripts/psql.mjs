// `npm run --silent psql [-- ARGUMENTS OF PSQL]`: psql on the bundled server of a running `npm start`, read-only, in the schema of its main
// network. DATA is the folder of --data, SCHEMA another schema (`\dn` lists them). psql itself is not bundled.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const { DATA = '.astrolabe' } = process.env
// `start --no-live` makes no demo chain: its main network is `main`.
const { SCHEMA = existsSync(join(DATA, 'demo-chain')) ? 'net_demo' : 'net_main' } = process.env
const file = join(DATA, 'postgres/postmaster.pid')
let port
try {
  port = readFileSync(file, 'utf8').split('\n')[3]
} catch {
  console.error(`no server runs on ${DATA}: start it with \`npm start\`, or name its folder with DATA=…`)
  process.exit(1)
}
const url = `postgres://astrolabe:astrolabe@127.0.0.1:${port}/postgres`
const options = `-c search_path=${SCHEMA},astrolabe -c default_transaction_read_only=on`
const { error, status } = spawnSync('psql', [url, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PGOPTIONS: options },
})
if (error) console.error(`psql is not installed (package postgresql-client on Debian); any client can use ${url}`)
process.exit(error ? 1 : (status ?? 1))
