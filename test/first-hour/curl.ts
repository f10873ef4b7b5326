/** Stands in for curl where it is not installed: the options that our documents and examples use, and no others. */
import { writeFileSync } from 'node:fs'

const args = process.argv.slice(2)
const headers = new Headers()
let url = ''
let body: string | undefined
let out: string | undefined
let format = ''
let showHead = false
let failing = false
let seconds = 60

const value = (i: number) => args[i + 1] ?? ''
for (let i = 0; i < args.length; i++) {
  const option = args[i]!
  if (option === '-H') {
    const [name = '', ...rest] = value(i++).split(':')
    headers.set(name, rest.join(':').trim())
  } else if (option === '-d') body = value(i++)
  else if (option === '-o') out = value(i++)
  else if (option === '-w') format = value(i++)
  else if (option === '-D') showHead = value(i++) === '-'
  else if (option === '--max-time') seconds = Number(value(i++))
  else if (option === '--fail-with-body') failing = true
  else if (/^-[sSN]+$/.test(option)) continue
  else if (option.startsWith('-')) throw new Error(`${option} is not known to the stand-in of curl`)
  else url = option
}

const response = await fetch(url, {
  headers,
  signal: AbortSignal.timeout(seconds * 1000),
  ...(body !== undefined && { method: 'POST', body }),
})
if (showHead) {
  process.stdout.write(`HTTP/1.1 ${response.status} ${response.statusText}\r\n`)
  for (const [name, text] of response.headers) process.stdout.write(`${name}: ${text}\r\n`)
  process.stdout.write('\r\n')
}
const write = out === undefined ? (chunk: Uint8Array) => process.stdout.write(chunk) : () => {}
if (out !== undefined && out !== '/dev/null') writeFileSync(out, Buffer.from(await response.arrayBuffer()))
else
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) write(chunk)
  } catch {
    process.exitCode = 28
  }
process.stdout.write(format.replaceAll('%{http_code}', String(response.status)).replaceAll('\\n', '\n'))
if (failing && !response.ok) process.exitCode = 22
