import { resolve } from 'node:path'
import { OperatorError } from '../errors.ts'
import { openBucket } from './bucket.ts'
import { openFolder } from './folder.ts'
import type { ObjectStore } from './object-store.ts'

/** Access to buckets, from the settings `object_storage`. */
export type BucketAccess = {
  endpoint?: string | undefined
  region: string
  access_key_id?: string | undefined
  secret_access_key?: string | undefined
}

const BUCKET = /^s3:\/\/([^/]+)\/?(.*)$/

/** A location is a folder, or a bucket as `s3://bucket/prefix`. */
export function openObjectStore(location: string, access: BucketAccess): ObjectStore {
  const [, bucket, prefix] = BUCKET.exec(location) ?? []
  if (bucket === undefined || prefix === undefined) return openFolder(resolve(location))
  const { region, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = access
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new OperatorError(
      'bucket_without_credentials',
      `${location} needs object_storage.access_key_id and object_storage.secret_access_key (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)`,
    )
  const endpoint = access.endpoint ?? `https://s3.${region}.amazonaws.com`
  return openBucket({ endpoint, bucket, prefix: prefix.replace(/\/+$/, ''), region, accessKeyId, secretAccessKey })
}
