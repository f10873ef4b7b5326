import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Streamed } from '../route.ts'
import { type Answer, GZIP_FROM, gzipOf, isKnown, NO_STORE, wantsGzip } from './answer.ts'
import { toErrorAnswer } from './error-answer.ts'
import { EVERYWHERE } from './headers.ts'
import { parseQuery } from './query-string.ts'
import { writeJson } from './write-json.ts'

export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(EVERYWHERE)
  // A list has several forms, and what is wrong with a request may depend on the one that is asked for.
  if (request.routeOptions?.config?.route?.list) reply.header('vary', 'Accept, Accept-Encoding')
  reply.header('x-request-id', request.id)
}

export function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply): void {
  const { headers } = request
  reply.header('x-indexed-height', answer.height)
  reply.header('cache-control', answer.cacheControl)
  if (answer.link !== undefined) reply.header('link', answer.link)
  if (answer.headers !== undefined) reply.headers(answer.headers)
  if (answer.status === 204) {
    reply.code(204).send()
    return
  }
  reply.header('etag', answer.etag)
  if (isKnown(answer, headers['if-none-match'])) {
    reply.code(304).send()
    return
  }
  reply.header('content-type', answer.contentType)
  const gzipped = wantsGzip(headers['accept-encoding']) ? gzipOf(answer) : undefined
  if (gzipped === undefined) reply.send(answer.body)
  else if (gzipped instanceof Promise)
    gzipped.then(
      (body) => reply.header('content-encoding', 'gzip').send(body),
      (error) => reply.send(error),
    )
  else reply.header('content-encoding', 'gzip').send(gzipped)
}

/** Compressed like every other answer; a failure before the first bytes are out is still a failure. */
export async function sendStream(
  { contentType, chunks, height, endLink }: Streamed,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('content-type', contentType).header('cache-control', NO_STORE).header('x-indexed-height', height)
  if (request.method === 'HEAD') {
    reply.send()
    return
  }
  const rest = chunks[Symbol.asyncIterator]()
  let start = ''
  while (Buffer.byteLength(start) < GZIP_FROM) {
    const { done, value } = await rest.next()
    if (done) {
      reply.send(Buffer.from(start))
      return
    }
    start += value
  }
  if (endLink) reply.header('trailer', 'Link')
  const end = () => {
    const link = endLink?.()
    if (link !== undefined) reply.raw.addTrailers({ link })
  }
  // No more is read ahead than one piece: it waits in memory for as long as the far end takes.
  const plain = Readable.from(continueWith(start, rest, end), { highWaterMark: 1 })
  if (!wantsGzip(request.headers['accept-encoding'])) reply.send(plain)
  // Either end may break off; the reply then ends too, which is all there is to do.
  else reply.header('content-encoding', 'gzip').send(pipeline(plain, createGzip(), () => {}))
}

async function* continueWith(start: string, rest: AsyncIterator<string>, end: () => void): AsyncGenerator<string> {
  yield start
  yield* { [Symbol.asyncIterator]: () => rest }
  end()
}

export type FailureFacts = { requestId: string; route: string | undefined }

/** One sender for every way in which a request can fail. `report` is told of our own failures. */
export function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { height, report }: { height: number; report: ((error: unknown, facts: FailureFacts) => void) | undefined },
): void {
  const { status, body, headers, isOurs } = toErrorAnswer(error)
  if (isOurs) report?.(error, { requestId: request.id, route: request.routeOptions?.url })
  reply.headers(headers).header('x-indexed-height', height)
  if (status === 204) {
    reply.code(204).send()
    return
  }
  reply.header('cache-control', NO_STORE).header('content-type', 'application/json')
  reply.code(status).send(Buffer.from(writeJson({ ...body, request_id: request.id }, wantsPretty(request.url))))
}

function wantsPretty(url: string): boolean {
  const mark = url.indexOf('?')
  return mark >= 0 && parseQuery(url.slice(mark + 1)).has('pretty')
}
