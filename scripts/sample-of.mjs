/** A value of the form that a schema describes, made of the examples in it: for answers that no chain at hand has. */
export function sampleOf({ type, properties, items, anyOf, enum: words, const: constant, examples, format }) {
  if (constant !== undefined) return constant
  if (examples) return examples[0]
  if (words) return words[0]
  if (anyOf) return sampleOf(anyOf[0])
  if (type === 'array') return [sampleOf(items)]
  if (type === 'object') return Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, sampleOf(part)]))
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  return format === 'csv' ? 'time,value\n' : ''
}
