import { BRIDGE_WORDS } from './bridges.ts'
import { CHAIN_WORDS } from './chain.ts'
import { GENERAL_WORDS } from './general.ts'
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
