/** One client that asks without a pause over several connections: `fork` it with the address, the number of connections and the paths, whose `OFFSET` is another one each time. */
import { Agent, get } from 'node:http'

const [address, connections, ...paths] = process.argv.slice(2) as [string, string, ...string[]]
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const OFFSETS = 2000
const statuses = new Map<number, number>()
let asked = 0

function ask(): Promise<void> {
  const number = asked++
  const path = paths[number % paths.length]!.replace('OFFSET', String((number * 37) % OFFSETS))
  return new Promise((resolve, reject) => {
    get(`${address}${path}`, { agent }, (response) => {
      statuses.set(response.statusCode!, (statuses.get(response.statusCode!) ?? 0) + 1)
      response.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })
}

for (let i = 0; i < Number(connections); i++)
  void (async () => {
    for (;;) await ask()
  })()

process.on('message', () => process.send?.(Object.fromEntries(statuses)))
process.on('disconnect', () => process.exit(0))
