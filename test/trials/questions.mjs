// The four questions of docs/export.md: each of its commands is run as it is written, with the address of an API and the folder of an export put in,
// and has to answer with rows.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/stamp.mjs'
import { configOf, startServing } from './programs.mjs'
import { need } from './trial.mjs'

/** `bin`: folder with the program duckdb */
export async function askFour({ programs, check, url, folder, tables, bin }) {
  need(['curl', 'jq'], 'packages curl and jq')
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(configOf({ recording: join(root, 'data/recordings/devnet') })))
  const env = { ...process.env, DATABASE_URL: url, ASTROLABE_DATA: folder }
  const { host } = new URL(await startServing(programs, config, env))
  for (const [question, command] of readQuestions()) {
    const text = command.replaceAll('127.0.0.1:9876', host).replaceAll('/srv/export', tables)
    const asked = spawnSync('sh', ['-c', text], { encoding: 'utf8', env: { ...env, PATH: `${bin}:${env.PATH}` } })
    const lines = asked.stdout.trimEnd().split('\n')
    const isTable = text.includes('text/csv') || text.startsWith('duckdb')
    check(
      question,
      asked.status === 0 && lines.length > (isTable ? 1 : 0) && lines[0] !== '',
      lines.slice(0, 3).join(' / ').slice(0, 300) || asked.stderr,
    )
  }
}

/** Questions with their commands, from the shell lines below the heading. */
function readQuestions() {
  const text = readFileSync(join(root, 'docs/export.md'), 'utf8')
  const [, part] = /## Four questions[^\n]*\n\n```sh\n([\s\S]*?)```/.exec(text)
  return [...part.matchAll(/^# (.*)\n(.*)$/gm)].map(([, question, command]) => [question, command])
}
