import { Type } from 'typebox'
import type { ForeignPath } from '../api/openapi.ts'
import type { RouteSchema } from '../api/route.ts'
import { Height } from '../api/schema/query.ts'
import { CHANNELS } from './protocol.ts'

const Words = (description: string) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 50, description }))

const FROM_HEIGHT = 'send the heights from here on first, at most 1,000 below the head; only on blocks, txs and blobs'
const NAMESPACE = 'namespaces, any of them; only on txs and blobs'
const SIGNER = 'accounts that signed, any of them; only on txs and blobs'
const ADDRESS = 'accounts that are named by a message (txs) or signed (blobs), any of them'

const EXAMPLE = 'id: 403\nevent: blocks\ndata: {"channel":"blocks","body":{"height":403}}\n\n'

/** Inputs of an event stream: bound by this, described by this. */
export const eventStreamSchema = {
  operationId: 'stream-events',
  summary: 'The notifications of the WebSocket as server-sent events',
  description:
    'One event per notification: `event` is the channel, `data` the whole notification `{channel, body}`, `id` the height on channels of heights. ' +
    'A client that reconnects with `Last-Event-ID`, as `EventSource` does, continues after it. Only one of blocks, txs and blobs can be streamed at a time. The stream does not end on its own.',
  tags: ['live'],
  querystring: Type.Object({
    channel: Type.Array(Type.Enum([...CHANNELS]), { minItems: 1, maxItems: 3, description: 'channels, separated by commas' }),
    from_height: Type.Optional({ ...Height, description: FROM_HEIGHT }),
    namespace: Words(NAMESPACE),
    signer: Words(SIGNER),
    address: Words(ADDRESS),
  }),
  response: { 200: Type.String({ format: 'event-stream', examples: [EXAMPLE] }) },
} satisfies RouteSchema

const channel = { type: 'string', enum: CHANNELS }
const words = (description: string) => ({
  description,
  anyOf: [{ type: 'string' }, { type: 'array', maxItems: 50, items: { type: 'string' } }],
})

/** Request of a client; the contract has `method`, `channel` and nothing else. */
const request = {
  oneOf: [
    {
      type: 'object',
      required: ['method', 'body'],
      properties: {
        method: { type: 'string', enum: ['subscribe', 'unsubscribe'] },
        body: {
          type: 'object',
          required: ['channel'],
          properties: {
            channel,
            filters: {
              type: 'object',
              description: 'unknown ones are ignored',
              properties: {
                from_height: { type: 'integer', minimum: 0, description: FROM_HEIGHT },
                namespace: words(NAMESPACE),
                signer: words(SIGNER),
                address: words(ADDRESS),
                ack: { type: 'boolean', description: 'confirm on channel ack' },
              },
            },
          },
        },
      },
    },
    {
      type: 'object',
      required: ['method', 'body'],
      description: 'only as the first message, by clients that cannot send the header apikey',
      properties: {
        method: { type: 'string', enum: ['authorize'] },
        body: { type: 'object', required: ['apikey'], properties: { apikey: { type: 'string' } } },
      },
    },
  ],
}

const notification = {
  type: 'object',
  required: ['channel', 'body'],
  properties: {
    channel: { type: 'string', enum: [...CHANNELS, 'ack', 'error', 'reverted'] },
    body: {
      description:
        'head: as /v1/head; blocks: as /v1/block/{height}?stats=true; gas_price: as /v1/gas/price; txs, blobs: arrays as /v1/tx?height= and ' +
        '/v1/block/{height}/blobs; ack: {method, channel, next_height}; error: {code, message} with code 1 invalid message, 2 unknown method, ' +
        '3 unknown channel, 4 bad filter, 5 refused key; reverted: {height}, everything sent above this height is void after a fork and is sent again',
      anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
    },
  },
}

/** The live surface for the description of the API. */
export const livePaths: ForeignPath[] = [
  { method: 'GET', path: '/v1/sse', schema: eventStreamSchema },
  {
    path: '/v1/ws',
    operation: {
      operationId: 'open-websocket',
      summary: 'WebSocket: notifications of new blocks',
      description:
        'Text frames with JSON. Nothing is sent on subscribing: the first notification comes with the next block. The connection is closed with 1001 when the ' +
        'server stops, 1008 above 20 messages a second or for a key that does not hold, 1009 above 10 KiB a message, 1013 when the client reads too slowly.',
      tags: ['live'],
      parameters: [{ name: 'apikey', in: 'header', required: false, description: 'key of a plan', schema: { type: 'string' } }],
      'x-websocket': { request, notification },
    },
    responses: {
      101: 'switching protocols',
      400: 'not a WebSocket upgrade',
      401: 'the key is not known, revoked or expired',
      403: 'the plan of the key does not cover this network',
      429: 'more connections than the plan has',
      503: 'not now: try again after Retry-After',
    },
  },
]
