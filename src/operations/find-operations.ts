import { TAGS } from '../api/tags.ts'
import { type KeyOperation, keyOperations } from './key-operations.ts'

/** Words by operation, each with the weight of the place where it stands. */
type Entry = { operation: KeyOperation; weights: Map<string, number> }

/** Words of questions that say nothing about their subject. */
const EMPTY = new Set(
  'a an and are by did do does for from get give has have how in is it its last list long many me much my of on or over show tell that the their there these this to was were what when where which who why will with'.split(
    ' ',
  ),
)

/** Other words for the names that the API uses. */
const MEANS: Record<string, string> = {
  transaction: 'tx',
  wallet: 'address',
  account: 'address',
  holder: 'address',
  content: 'blob',
  payload: 'blob',
  data: 'blob',
  cost: 'gas',
  fee: 'gas',
  governance: 'proposal',
  bridge: 'ibc',
  slashed: 'jail',
  missed: 'uptime',
  staker: 'delegator',
  stake: 'delegation',
  usd: 'price',
  tia: 'price',
  development: 'series',
  height: 'block',
}

export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map((word) => (word.length > 3 ? word.replace(/(ies)$/, 'y').replace(/([^s])s$/, '$1') : word))

let entries: Entry[] | undefined

function readEntries(): Entry[] {
  return [...keyOperations().values()].map((operation) => {
    const { schema, path } = operation.route
    const weights = new Map<string, number>()
    const add = (text: string, weight: number) => {
      for (const word of wordsOf(text)) weights.set(word, Math.max(weight, weights.get(word) ?? 0))
    }
    add(fieldsOf(schema.response[200]).join(' '), 1)
    add(TAGS[schema.tags[0]!] ?? '', 1)
    add([...Object.keys(operation.params), ...Object.keys(operation.query)].join(' '), 1.5)
    add(schema.description ?? '', 2)
    add(path, 3)
    add(schema.summary, 4)
    add(operation.id, 5)
    return { operation, weights }
  })
}

/**
 * Operations whose names, summaries, inputs or fields have the words, best first: those among them that `isReached` says yes to. A rare
 * word counts more than one that many have.
 */
export function findOperations(question: string, most: number, isReached: (operation: KeyOperation) => boolean): KeyOperation[] {
  entries ??= readEntries()
  const asked = [...new Set(wordsOf(question).flatMap((word) => (MEANS[word] ? [word, MEANS[word]] : [word])))]
  const scored = entries.map(({ operation, weights }) => ({ operation, score: 0, weights }))
  for (const word of asked) {
    const hits = scored.flatMap((each) => {
      const weight = weightOf(word, each.weights)
      return weight > 0 ? [{ each, weight }] : []
    })
    const rarity = Math.log(1 + scored.length / hits.length)
    for (const { each, weight } of hits) each.score += weight * rarity
  }
  return scored
    .filter(({ score, operation }) => score > 0 && isReached(operation))
    .sort((a, b) => b.score - a.score || a.operation.id.length - b.operation.id.length)
    .slice(0, most)
    .map(({ operation }) => operation)
}

/** A word also matches one that begins with it, for half its weight. */
function weightOf(word: string, weights: Map<string, number>): number {
  const exact = weights.get(word)
  if (exact !== undefined) return exact
  if (word.length < 4) return 0
  let best = 0
  for (const [known, weight] of weights)
    if (known.length >= 4 && (known.startsWith(word) || word.startsWith(known))) best = Math.max(best, weight / 2)
  return best
}

type Shape = { type?: string; items?: Shape; properties?: Record<string, unknown> }

/** Names of the fields that an answer has, of its rows where it is a list. */
export function fieldsOf(answer: unknown): string[] {
  const { type, items, properties = {} } = answer as Shape
  return type === 'array' ? fieldsOf(items) : Object.keys(properties)
}
