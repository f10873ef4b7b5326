import { Type } from 'typebox'

/** How buckets are reached (`s3://bucket/prefix`), whatever is kept in them. */
export const ObjectStorageSchema = Type.Object(
  {
    endpoint: Type.Optional(
      Type.String({
        pattern: '^https?://',
        env: 'AWS_ENDPOINT_URL_S3',
        description: 'address of an S3-compatible service; absent: that of Amazon in the region',
      }),
    ),
    region: Type.String({ default: 'us-east-1', env: 'AWS_REGION', description: 'region of the buckets' }),
    access_key_id: Type.Optional(Type.String({ env: 'AWS_ACCESS_KEY_ID', description: 'who signs the requests' })),
    secret_access_key: Type.Optional(
      Type.String({ env: 'AWS_SECRET_ACCESS_KEY', description: 'signs the requests; better given as the environment variable' }),
    ),
  },
  {
    default: {},
    additionalProperties: false,
    description: 'how buckets are reached wherever a location is `s3://bucket/prefix`',
  },
)
