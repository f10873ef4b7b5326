import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { BadRequest, HttpError } from './errors.ts'
import { isStorable } from './storable.ts'

const gunzipAsync = promisify(gunzip)

/**
 * Reads a JSON body, gzipped or not; an empty one is none. Another media type is a bad request, not 415 (docs/rules.md R4), and so is a
 * text that the database cannot hold, wherever in the body it stands.
 */
export async function readBody(request: FastifyRequest, raw: string | Buffer): Promise<unknown> {
  if (raw.length === 0) return undefined
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') throw refuse('the body must be application/json')
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  const plain = await decompress(raw as Buffer, encoding, request.routeOptions.bodyLimit)
  const body = parse(plain.toString('utf8'))
  const place = findUnstorable(body)
  if (place !== undefined) throw new BadRequest(`${place || 'body'} is not valid text`, place || 'body')
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('the body is not valid JSON')
  }
}

/** Place of the first text that the database cannot hold: names of fields and positions in lists, joined by dots. */
function findUnstorable(value: unknown): string | undefined {
  const open: [place: string, value: unknown][] = [['', value]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [place, inner] = next
    if (typeof inner === 'string' && !isStorable(inner)) return place
    if (typeof inner !== 'object' || inner === null) continue
    for (const [name, each] of Object.entries(inner)) open.push([place === '' ? name : `${place}.${name}`, each])
  }
  return undefined
}

async function decompress(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes
  if (encoding !== 'gzip') throw refuse('the body may only be encoded with gzip')
  try {
    return await gunzipAsync(bytes, { maxOutputLength })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new HttpError(413, 'body_too_large', 'Request Entity Too Large')
    throw refuse('the body is not valid gzip')
  }
}

function refuse(message: string): BadRequest {
  return new BadRequest(message, 'body', 'invalid_body')
}
