import { BRIDGE_WORDS } from './bridges.ts'
import { CHAIN_WORDS } from './chain.ts'
import { MODEL_WORDS, SERVICE_WORDS } from './service.ts'
import { STAKING_WORDS } from './staking.ts'

/** Meaning of names that mean the same wherever they stand, in answers and in tables. */
export const COMMON_WORDS: Readonly<Record<string, string>> = {
  ...CHAIN_WORDS,
  ...STAKING_WORDS,
  ...BRIDGE_WORDS,
  ...SERVICE_WORDS,
}

/** The data dictionary: what a field of a model means. Undefined where nothing is said, which a test refuses. */
export function describeField(model: string | undefined, field: string): string | undefined {
  return MODEL_WORDS[`${model}.${field}`] ?? COMMON_WORDS[field] ?? GENERAL_WORDS[field]
}

/** Names that stand for the obvious in whatever they belong to. */
export const GENERAL_WORDS: Readonly<Record<string, string>> = {
  amount: 'amount in the smallest unit of the denomination; utia where none is named',
  count: 'how many there are',
  created_at: 'time at which it was created',
  data: 'content',
  description: 'description',
  end: 'end, exclusive',
  error: 'why it failed',
  from: 'beginning',
  id: 'number by which other answers and cursors name it',
  items: 'entries',
  metadata: 'further data that came with it',
  name: 'name',
  start: 'beginning, inclusive',
  state: 'state',
  status: 'state, one of the words of /v1/enums',
  to: 'end',
  total: 'how many there are',
  type: 'kind',
  uri: 'address of a document about it',
  value: 'value',
  version: 'version',
  balance: 'amount after the change',
  current: 'present value',
  shares: 'shares',
}
