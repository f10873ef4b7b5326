import type { Input, JsonSchema } from './input.ts'

export type Tier = 'A' | 'B' | 'C'

/** USD per request, as the price objects show it. */
export const TIER_USD: Record<Tier, string> = { A: '0.001000', B: '0.002000', C: '0.005000' }

export const LABELS = [
  'State',
  'Blocks',
  'Addresses',
  'Transactions',
  'Blobs',
  'Namespaces',
  'Validators',
  'Rollups',
  'Search',
  'Statistics',
] as const
export type Label = (typeof LABELS)[number]

/** What the key surface answers: status and JSON, undefined with 204; `height` is the head it was read at. */
export type KeyAnswer = {
  status: number
  json: unknown
  message?: string
  param?: string
  retryAfter?: number
  height?: number | undefined
  /** the list continues after this page */
  hasMore?: boolean
}

/** The key surface, called in the same process. */
export type KeySurface = {
  get: (path: string, query?: Record<string, string>) => Promise<KeyAnswer>
  /** PFB txs per rollup: the one order of the paid surface that no list of the key surface has */
  countRollupPfbs: () => Promise<Map<number, number>>
}

/** Given or defaulted inputs, in the form the key surface takes. */
export type Inputs = Record<string, string>

/** One thing that is sold. Routing, validation, offers, prices and descriptions all come from here. */
export type Operation = {
  id: string
  /** with `{name}` parameters */
  path: string
  tier: Tier
  label: Label
  summary: string
  params: Record<string, Input>
  query: Record<string, Input>
  answer: { schema: JsonSchema; example: unknown }
  /** 204 when nothing is found instead of 404; a 204 is an answer and is charged */
  isEmptyAnswer?: boolean
  ask: (key: KeySurface, inputs: Inputs) => Promise<KeyAnswer>
}

/** Fills `{name}` parameters from the inputs. */
export function fillPath(path: string, inputs: Inputs): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inputs[name] ?? ''))
}

/** Inputs without those that stand in the path. */
export function queryOf({ params }: { params: Record<string, Input> }, inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !(name in params)))
}

/** Changes the JSON of a found answer, leaves everything else. */
export async function mapJson(answer: Promise<KeyAnswer>, change: (json: unknown) => unknown): Promise<KeyAnswer> {
  const { json, ...rest } = await answer
  return { ...rest, json: rest.status === 200 ? change(json) : json }
}
