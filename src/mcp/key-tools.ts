import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createKeySurface, type Injectable } from '../pay/key-surface.ts'
import { createLookup, isAnswer } from '../pay/lookup.ts'
import type { Db } from '../store/db.ts'
import { failedResult, foundResult, heightMeta } from './result.ts'
import type { Tools } from './server.ts'

/** Tools answered by the handlers of a key surface: without limits, for who has the database anyway. */
export function createKeyTools(app: Injectable, db: Db): Tools {
  const lookup = createLookup(createKeySurface(app, db))
  return {
    isPaid: false,
    async call(operation, { inputs }) {
      const result = await lookup(operation, inputs)
      if (isAnswer(result)) return foundResult(result.body, heightMeta(result.height))
      return failedResult(result.problem.detail, result.retryAfter)
    },
  }
}

/** What says who asks: keys, and addresses that proxies name. */
const CALLER_HEADERS = ['apikey', 'authorization', 'x-forwarded-for', 'forwarded'] as const

/** The requests behind a tool call, made as its caller: they cost what they cost over REST, from the same limits. */
export function asCaller(app: FastifyInstance, { socket, headers }: FastifyRequest): Injectable {
  const own = Object.fromEntries(CALLER_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])))
  const caller = { headers: own, ...(socket.remoteAddress !== undefined && { remoteAddress: socket.remoteAddress }) }
  return { inject: (request) => app.inject({ ...request, ...caller }) }
}
