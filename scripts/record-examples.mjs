// Asks a running API for one answer per operation of its description, with parameters that the API itself names.

/** Requests that are made for one operation, and items that an example keeps of each list. */
const TRIES = 12
const ITEMS = 2
/** Longer texts take too much of the description: another answer is preferred. */
const LONGEST_TEXT = 600

/**
 * Answers by operation id; an operation without one has no entry. `ask(method, path, body)` resolves to `{status, body}`. Parameters are taken
 * from the rows of the list above them, or of the list that `hints` names for the operation: `{rows, fill}`, where `fill(row)` gives `params`,
 * `query` and `body`.
 */
export async function recordExamples(document, ask, hints) {
  const lists = new Map()
  const read = async (path) => {
    if (!lists.has(path)) lists.set(path, await ask('GET', path))
    const { status, body } = lists.get(path)
    return status === 200 && Array.isArray(body) ? body : []
  }
  const examples = {}
  for (const [template, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const { rows, fill = () => ({}) } = hints[operation.operationId] ?? {}
      const given =
        rows === undefined ? [fill()] : (await read(`${rows}${rows.includes('?') ? '&' : '?'}limit=${TRIES}`)).map(fill)
      const found = []
      for (const { params = {}, query = '', body } of given)
        for (const path of (await fillPath(template, operation, params, document, read)).slice(0, TRIES)) {
          if (found.length >= TRIES) break
          const answer = await ask(method.toUpperCase(), path + query, body)
          if (answer.status === 200 && answer.body !== undefined) found.push(cut(answer.body))
        }
      const [best] = found.sort((a, b) => worthOf(b) - worthOf(a) || JSON.stringify(a).length - JSON.stringify(b).length)
      if (best !== undefined && worthOf(best) !== 0) examples[operation.operationId] = best
    }
  return examples
}

/** Paths to try: with the rows of the list above each parameter, or the words that it allows. */
async function fillPath(template, operation, params, document, read) {
  let paths = ['']
  let pattern = ''
  for (const part of template.split('/').slice(1)) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    const longer = []
    for (const path of paths) {
      const values =
        name === undefined ? [part] : (params[name] ?? (await valuesOf(name, pattern, path, operation, document, read)))
      longer.push(...[values].flat().map((value) => `${path}/${encodeURIComponent(value)}`))
    }
    paths = longer.slice(0, TRIES)
    pattern += `/${part}`
  }
  return paths
}

async function valuesOf(name, pattern, path, operation, document, read) {
  const { schema } = operation.parameters.find((parameter) => parameter.name === name)
  if (schema.enum) return schema.enum
  const content = document.paths[pattern]?.get?.responses[200].content
  if (content?.['application/json']?.schema.type !== 'array') return []
  const noun = pattern.slice(pattern.lastIndexOf('/') + 1)
  const rows = await read(`${path}?limit=${TRIES}`)
  return rows
    .map((row) => row[`${noun}_${name}`] ?? row[noun] ?? row[name])
    .filter((value) => value !== undefined && value !== '')
}

/** The value with the first items of each of its lists; of CSV, the first lines. */
function cut(value) {
  if (typeof value === 'string' && value.includes('\n')) return `${value.split('\n', ITEMS + 1).join('\n')}\n`
  if (Array.isArray(value)) return value.slice(0, ITEMS).map(cut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)]))
}

/** Number of fields that an answer shows. */
function worthOf(value) {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? -1000 : value === '' ? 0 : 1
  if (typeof value !== 'object' || value === null) return value === null ? 0 : 1
  return Object.values(value).reduce((sum, inner) => sum + worthOf(inner), 0)
}
