type Json = Record<string, unknown>

const INT32 = 2 ** 31

/**
 * The schema of a number with its OpenAPI format, without which generators of typed clients take 32 bits: ids and amounts do not fit. Other
 * schemas are returned as they are.
 */
export function withNumberFormat(schema: Json): Json {
  if (schema.type === 'number') return { format: 'double', ...schema }
  if (schema.type !== 'integer') return schema
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as { minimum?: number; maximum?: number }
  return { format: minimum >= -INT32 && maximum < INT32 ? 'int32' : 'int64', ...schema }
}
