import { asCount, asInt64, asList, asObject, asText, parseJsonObject, rejectField } from './json-fields.ts'
import type { ConsensusValidator } from './validator-set.ts'

/** One page of the answer of `validators`, and how many there are on all pages. */
export type ValidatorsPage = { validators: ConsensusValidator[]; total: number }

export function parseValidatorsPage(answer: Uint8Array): ValidatorsPage {
  const page = parseJsonObject(answer, 'validators')
  return {
    validators: asList(page.validators, 'validators').map(parseValidator),
    total: asCount(page.total, 'validators.total'),
  }
}

function parseValidator(value: unknown): ConsensusValidator {
  const entry = asObject(value, 'validators')
  const key = Buffer.from(asText(asObject(entry.pub_key, 'validators.pub_key').value, 'validators.pub_key.value'), 'base64')
  const power = asInt64(entry.voting_power, 'validators.voting_power')
  if (key.length !== 32) rejectField('validators.pub_key', 'an ed25519 key')
  if (power <= 0n) rejectField('validators.voting_power', 'above zero')
  return { publicKey: key.toString('hex'), power }
}
