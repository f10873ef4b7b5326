import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { BadRequest, HttpError } from './errors.ts'
import { LIMITS } from './limits.ts'

const gunzipAsync = promisify(gunzip)

/** Reads a JSON body, gzipped or not. Another media type is a bad request, not 415 (docs/rules.md R4). */
export async function readBody(request: FastifyRequest, raw: string | Buffer): Promise<unknown> {
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') throw refuse('the body must be application/json')
  const plain = await decompress(raw as Buffer, request.headers['content-encoding']?.trim().toLowerCase())
  try {
    return JSON.parse(plain.toString('utf8'))
  } catch {
    throw refuse('the body is not valid JSON')
  }
}

async function decompress(bytes: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') return bytes
  if (encoding !== 'gzip') throw refuse('the body may only be encoded with gzip')
  try {
    return await gunzipAsync(bytes, { maxOutputLength: LIMITS.bodyBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new HttpError(413, 'body_too_large', 'Request Entity Too Large')
    throw refuse('the body is not valid gzip')
  }
}

function refuse(message: string): BadRequest {
  return new BadRequest(message, 'body', 'invalid_body')
}
