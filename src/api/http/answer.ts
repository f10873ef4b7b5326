import { hash, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import type { CachePolicy } from '../route.ts'

/** From this size on a body is compressed for those who take it (docs/rules.md R16). */
export const GZIP_FROM = 1024
/** Beyond this size compression leaves the event loop. */
const GZIP_SYNC_UP_TO = 32 * 1024
const LEVEL = { level: constants.Z_BEST_SPEED }
const gzipAsync = promisify(gzip)

const EMPTY = Buffer.alloc(0)

/** A finished answer: bytes and the headers that belong to them. Shared between requests, so never changed. */
export type Answer = {
  status: 200 | 204
  contentType: string
  body: Buffer
  /** made when first asked for */
  gzipped: Buffer | undefined
  etag: string
  cacheControl: string
  link: string | undefined
  headers: Record<string, string> | undefined
  kept: CachePolicy
  /** head the answer was read at */
  height: number
  /** bytes that were written or read for it, whichever are more */
  work: number
}

export const REVALIDATE = 'no-cache'
const IMMUTABLE = 'public, max-age=86400, immutable'
export const NO_STORE = 'no-store'

const JSON_TYPE = 'application/json'

/** Bytes of an answer and what names them. */
export type Body = { bytes: Buffer; contentType: string; digest: string }

/** Beyond this size the digest is computed off the event loop. */
const HASH_SYNC_UP_TO = 256 * 1024

export async function makeBody(text: string, contentType = JSON_TYPE): Promise<Body> {
  const bytes = Buffer.from(text)
  const digest =
    bytes.length <= HASH_SYNC_UP_TO
      ? hash('sha1', bytes, 'base64url')
      : Buffer.from(await webcrypto.subtle.digest('SHA-1', bytes)).toString('base64url')
  return toBody(bytes, digest, contentType)
}

export function toBody(bytes: Buffer, digest: string, contentType = JSON_TYPE): Body {
  return { bytes, contentType, digest: digest.slice(0, 16) }
}

const NO_BODY: Body = { bytes: EMPTY, contentType: '', digest: '' }

/** Without a body: 204. */
export function makeAnswer(
  body: Body | undefined,
  facts: {
    height: number
    kept: CachePolicy
    link: string | undefined
    headers: Record<string, string> | undefined
    work: number
  },
): Answer {
  const { bytes, contentType, digest } = body ?? NO_BODY
  return {
    status: body ? 200 : 204,
    contentType,
    body: bytes,
    gzipped: undefined,
    etag: makeEtag(digest, facts),
    cacheControl: facts.kept === 'closed' ? IMMUTABLE : facts.kept === 'head' ? REVALIDATE : NO_STORE,
    link: facts.link,
    headers: facts.headers,
    kept: facts.kept,
    height: facts.height,
    work: Math.max(bytes.length, facts.work),
  }
}

/**
 * Weak, because the same tag stands for the plain and the compressed form. Names and prices change without a block, so the head's
 * height alone would not do.
 */
function makeEtag(digest: string, { kept, height }: { kept: CachePolicy; height: number }): string {
  return kept === 'closed' ? `W/"${digest}"` : `W/"${height}-${digest}"`
}

/** Whether the client's copy (If-None-Match) is still the answer. */
export function isKnown(answer: Answer, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined || answer.status !== 200) return false
  if (ifNoneMatch === '*') return true
  const tag = answer.etag.slice(2)
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag)
}

export function wantsGzip(acceptEncoding: string | string[] | undefined): boolean {
  return acceptEncoding !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/i.test(String(acceptEncoding))
}

/** The compressed form, or undefined when the answer is too small to gain from it. */
export function gzipOf(answer: Answer): Buffer | undefined | Promise<Buffer> {
  if (answer.gzipped || answer.body.length < GZIP_FROM) return answer.gzipped
  if (answer.body.length <= GZIP_SYNC_UP_TO) return (answer.gzipped = gzipSync(answer.body, LEVEL))
  return gzipAsync(answer.body, LEVEL).then((packed) => (answer.gzipped = packed))
}
