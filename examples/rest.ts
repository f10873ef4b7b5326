// Reads the key surface through the typed client: the head, pages of txs, something that is not there, and a refusal.
//   node build/examples/rest.js            (ASTROLABE_URL and ASTROLABE_KEY, if any, from the environment)
import { ApiError, createClient } from '../src/client/client.ts'

const { ASTROLABE_URL = 'http://127.0.0.1:9876', ASTROLABE_KEY } = process.env
const client = createClient({ baseUrl: ASTROLABE_URL, ...(ASTROLABE_KEY && { apiKey: ASTROLABE_KEY }) })

const head = await client.getHead()
console.log(`${head?.chain_id} at height ${head?.last_height}`)

// Newest first, two pages: the id of the last row is the cursor of the next page.
let cursor: number | undefined
for (let page = 1; page <= 2; page++) {
  const txs = await client.listTxs({ limit: 5, sort: 'desc', status: ['success'], ...(cursor !== undefined && { cursor }) })
  for (const { height, hash, message_types, fee } of txs) console.log(height, hash.slice(0, 8), message_types.join(' '), fee)
  cursor = txs.at(-1)?.id
}

// Nothing there is no error: the answer is undefined (status 204).
console.log('block 999999999:', await client.getBlock({ height: 999_999_999 }))

try {
  await client.listBlobs({ limit: 1000 })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(`refused with ${error.status} ${error.code}: ${error.message} (${error.param})`)
  // Over the limit of the plan: come back after error.retryAfter seconds.
}
