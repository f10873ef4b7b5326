// Five calls with openapi-fetch and the types that openapi-typescript made: node five-calls.js [BASE_URL]
import createClient from 'openapi-fetch'
import type { paths } from './astrolabe.js'

const { GET } = createClient<paths, 'application/json'>({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:9876' })

const head = await GET('/v1/head')
console.log('head', head.data!.chain_id, head.data!.last_height)

const blocks = await GET('/v1/block', { params: { query: { limit: 3 } } })
console.log('blocks', ...blocks.data!.map(({ height }) => height))

const block = await GET('/v1/block/{height}', { params: { path: { height: 7 } } })
console.log('block', block.data!.height, block.data!.hash)

const blobs = await GET('/v1/blob', { params: { query: { limit: 1 } } })
console.log('blob', blobs.data![0]!.id, blobs.data![0]!.size)

const gas = await GET('/v1/gas/price')
console.log('gas', gas.data!.median)
