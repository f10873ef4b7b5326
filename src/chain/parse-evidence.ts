import type { BlockEvidence } from '../types/chain.ts'
import { asCount, asHex, asList, asObject, asText, type JsonObject } from './json-fields.ts'

/** Evidence of misbehaviour in a block, one entry per accused validator. A kind that is not known names nobody. */
export function parseEvidence(value: unknown, block: { height: number; time: string }): BlockEvidence[] {
  return asList(value, 'evidence').flatMap((item) => {
    const entry = asObject(item, 'evidence')
    const type = asText(entry.type, 'evidence.type')
    if (type === 'tendermint/DuplicateVoteEvidence') return [parseDuplicateVote(asObject(entry.value, 'evidence.value'))]
    if (type === 'tendermint/LightClientAttackEvidence') return parseLightClientAttack(asObject(entry.value, 'evidence.value'))
    return [{ kind: type, validatorAddress: '', height: block.height, time: block.time }]
  })
}

function parseDuplicateVote(value: JsonObject): BlockEvidence {
  const vote = asObject(value.vote_a, 'evidence.vote_a')
  return {
    kind: 'duplicate_vote',
    validatorAddress: asHex(vote.validator_address, 20, 'evidence.vote_a.validator_address'),
    height: asCount(vote.height, 'evidence.vote_a.height'),
    time: asText(value.Timestamp, 'evidence.Timestamp'),
  }
}

function parseLightClientAttack(value: JsonObject): BlockEvidence[] {
  return asList(value.ByzantineValidators, 'evidence.ByzantineValidators').map((validator) => ({
    kind: 'light_client_attack',
    validatorAddress: asHex(asObject(validator, 'evidence.validator').address, 20, 'evidence.validator.address'),
    height: asCount(value.CommonHeight, 'evidence.CommonHeight'),
    time: asText(value.Timestamp, 'evidence.Timestamp'),
  }))
}
