import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { computeBackoff } from '../backoff.ts'
import { AstrolabeError, OperatorError, Transient } from '../errors.ts'
import { boundFetch } from '../read-bounded.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

export type BucketSettings = {
  /** address of the service, such as `https://s3.eu-central-1.amazonaws.com` */
  endpoint: string
  bucket: string
  /** stands before every key; with no slash at either end, may be empty */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** for one request */
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
const TRIES = 4
const BACKOFF = { minMs: 100, maxMs: 2000 }
const PAGE = 1000
const CONTENT_TYPE = 'application/octet-stream'
const TOO_MANY_REQUESTS = 429

/** A page of a list, with keys of 1024 bytes; also what an error may say. */
const PAGE_BYTES = 4 * 2 ** 20

/** Objects are asked for by range, and no answer has more than that. */
function boundOf(init: RequestInit | undefined): number {
  const { range } = (init?.headers ?? {}) as { range?: string }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  return Math.max(PAGE_BYTES, first === undefined ? 0 : Number(last) - Number(first) + 1)
}

/** A bucket of any service that speaks S3, addressed by path. Requests that fail for the moment are retried. */
export function openBucket(settings: BucketSettings): ObjectStore {
  const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey, timeoutMs = TIMEOUT_MS } = settings
  const name = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`
  const client = new S3mini({
    endpoint: `${endpoint.replace(/\/+$/, '')}/${bucket}`,
    region,
    accessKeyId,
    secretAccessKey,
    requestAbortTimeout: timeoutMs,
    fetch: boundFetch(boundOf),
  })
  const base = prefix === '' ? '' : `${prefix}/`
  const ask = <T>(request: () => Promise<T>) => retry(name, request)
  return {
    name,
    put: async (key, bytes) => {
      await ask(() => client.putAnyObject(base + key, bytes, CONTENT_TYPE))
    },
    getRange: (key, offset, length) => ask(() => readRange(client, base + key, offset, length)),
    list: (within) => listObjects(client, ask, base, within),
    delete: async (key) => {
      await ask(() => client.deleteObject(base + key))
    },
  }
}

async function readRange(client: S3mini, key: string, offset: number, length: number): Promise<Uint8Array | undefined> {
  try {
    const response = await client.getObjectRaw(key, false, offset, offset + length)
    return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    if (!(error instanceof S3ServiceError)) throw error
    if (error.status === 404) return undefined
    // The object ends before the range begins.
    if (error.status === 416) return new Uint8Array(0)
    throw error
  }
}

async function* listObjects(
  client: S3mini,
  ask: <T>(request: () => Promise<T>) => Promise<T>,
  base: string,
  within: string,
): AsyncIterable<StoredObject> {
  let token: string | undefined
  do {
    const from = token
    const page = await ask(() => client.listObjectsPaged('/', base + within, PAGE, from))
    for (const { Key, Size } of page?.objects ?? []) yield { key: Key.slice(base.length), size: Number(Size) }
    token = page?.nextContinuationToken
  } while (token !== undefined)
}

async function retry<T>(name: string, request: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await request()
    } catch (error) {
      const known = describe(name, error)
      if (!(known instanceof Transient) || failures + 1 === TRIES) throw known
      await sleep(computeBackoff(failures, Math.random, BACKOFF))
    }
  }
}

function describe(name: string, error: unknown): AstrolabeError {
  if (error instanceof AstrolabeError) return error
  if (error instanceof S3ServiceError && error.status < 500 && error.status !== TOO_MANY_REQUESTS)
    return new OperatorError(
      'bucket_refused',
      `the bucket ${name} refused a request (${error.serviceCode ?? error.status}): check its name, region and credentials`,
      { status: error.status },
      error,
    )
  return new Transient('bucket_unavailable', `the bucket ${name} does not answer: ${(error as Error).message}`, {}, error)
}
