import { describeApi } from '../api/openapi.ts'
import { keyOperations } from '../operations/key-operations.ts'

type Field = {
  type?: string
  format?: string
  description?: string
  $ref?: string
  items?: Field
  anyOf?: Field[]
  enum?: unknown[]
}
type Model = { properties?: Record<string, Field>; required?: string[] }

let models: Map<string, Model> | undefined

/** Objects that answers are made of, by name: the data dictionary. */
function readModels(): Map<string, Model> {
  const routes = [...keyOperations().values()].map(({ route }) => route)
  const { components } = describeApi(routes as never, { title: '', version: '' }) as {
    components: { schemas: Record<string, Model> }
  }
  return new Map(Object.entries(components.schemas).filter(([, { properties }]) => properties))
}

export const listModels = (): string[] => [...(models ??= readModels()).keys()]

/** A table of the fields of an object, as Markdown; undefined where there is none of this name. */
export function describeModel(name: string): string | undefined {
  models ??= readModels()
  const model = models.get(name)
  if (!model) return undefined
  const rows = Object.entries(model.properties ?? {}).map(
    ([field, schema]) =>
      `| ${field} | ${typeOf(schema)} | ${model.required?.includes(field) ? '' : 'may be missing'} | ${schema.description ?? ''} |`,
  )
  return [`# ${name}`, '', '| Field | Type | | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n')
}

function typeOf({ type, format, $ref, items, anyOf, enum: words }: Field): string {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (type === 'array') return `list of ${items ? typeOf(items) : 'any'}`
  if (words && words.length <= 12) return words.join(', ')
  return format === undefined ? (type ?? 'any') : `${type} (${format})`
}
