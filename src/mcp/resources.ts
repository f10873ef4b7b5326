import { type KeyOperation, keyOperations } from '../operations/key-operations.ts'
import { describeModel, listModels } from './dictionary.ts'
import type { Reach } from './operation-tools.ts'

const SCHEME = 'celestia://'
const DICTIONARY = `${SCHEME}dictionary`

/** Records of the chain that have an address of their own, each read by an operation. */
const RECORDS = [
  { noun: 'block', input: 'height', operation: 'get-block', description: 'a block by its height, or celestia://block/latest' },
  { noun: 'tx', input: 'hash', operation: 'get-tx', description: 'a transaction by its hash' },
  { noun: 'account', input: 'hash', operation: 'get-address', description: 'an account with its balance, by its address' },
] as const

const LATEST = {
  uri: `${SCHEME}block/latest`,
  name: 'latest block',
  title: 'Latest block',
  description: 'the newest block that is indexed',
  mimeType: 'application/json',
}

const isReached = ({ reach }: Pick<Reach, 'reach'>, { operation }: (typeof RECORDS)[number]): boolean =>
  reach(keyOperations().get(operation)!) !== undefined

/** Records that the surface answers, and the dictionary. */
export const listTemplates = (surface: Pick<Reach, 'reach'>) => [
  ...RECORDS.filter((record) => isReached(surface, record)).map(({ noun, input, description }) => ({
    uriTemplate: `${SCHEME}${noun}/{${input}}`,
    name: noun,
    title: description,
    description,
    mimeType: 'application/json',
  })),
  {
    uriTemplate: `${DICTIONARY}/{object}`,
    name: 'dictionary',
    title: 'fields of an object of the API',
    description: 'fields of an object of the API, with their types and meanings',
    mimeType: 'text/markdown',
  },
]

export const listResources = (surface: Pick<Reach, 'reach'>) => [
  {
    uri: DICTIONARY,
    name: 'dictionary',
    title: 'Data dictionary',
    description: 'objects that answers are made of',
    mimeType: 'text/markdown',
  },
  ...(isReached(surface, RECORDS[0]) ? [LATEST] : []),
  ...listModels().map((name) => ({
    uri: `${DICTIONARY}/${name}`,
    name,
    title: `Fields of ${name}`,
    description: `fields of ${name}`,
    mimeType: 'text/markdown',
  })),
]

/** A resource is a text of ours, or the answer of an operation. Undefined: there is no such resource. */
export type FoundResource = { text: string } | { operation: KeyOperation; given: Record<string, string> }

export function findResource(uri: string): FoundResource | undefined {
  if (uri === DICTIONARY)
    return {
      text: `# Objects\n\n${listModels()
        .map((name) => `- ${DICTIONARY}/${name}`)
        .join('\n')}\n`,
    }
  if (uri.startsWith(`${DICTIONARY}/`)) {
    const text = describeModel(uri.slice(DICTIONARY.length + 1))
    return text === undefined ? undefined : { text }
  }
  const [, noun, value] = /^celestia:\/\/(\w+)\/([^/?#]+)$/.exec(uri) ?? []
  const found = RECORDS.find((record) => record.noun === noun)
  return found && { operation: keyOperations().get(found.operation)!, given: { [found.input]: decode(value!) } }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
