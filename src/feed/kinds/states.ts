import { writeJson } from '../../api/http/write-json.ts'
import { toProposal } from '../../api/view/proposal.ts'
import { toShortValidator, toValidator } from '../../api/view/validator.ts'
import type { Db } from '../../store/db.ts'
import { positionOf } from '../../store/pack/id.ts'
import { findProposal } from '../../store/read/governance/proposal.ts'
import { listProposalStates, listSlashes, listValidatorStates } from '../../store/read/governance/signal.ts'
import { findValidator } from '../../store/read/validator.ts'
import type { Entry, EventKind } from '../kind.ts'

/** Slashes as `/v1/validators/{id}/jails` lists them, with the validator. */
export function slashEvents(db: Db): EventKind<{ validator: number }> {
  return {
    types: ['validator.slashed'],
    isIn: (mark) => mark.has_validators,
    read: async ({ height }) =>
      (await listSlashes(db, height)).map(({ id, validator, ...jail }) => ({
        type: 'validator.slashed',
        position: positionOf(id),
        json: writeJson({ ...jail, validator: toShortValidator(validator) }).trimEnd(),
        facts: { validator: validator[0] },
      })),
    matches: ({ facts }, { validators }) => validators?.has(facts.validator) ?? true,
  }
}

/** The validator as `/v1/validators/{id}` answers it; `jailed` is that of the height. */
export function jailEvents(db: Db): EventKind<{ validator: number }> {
  return {
    types: ['validator.jailed', 'validator.unjailed'],
    isIn: (mark) => mark.has_validators,
    async read({ height }) {
      const entries: Entry<{ validator: number }>[] = []
      for (const { id, validator_id, jailed } of await listValidatorStates(db, height)) {
        const row = await findValidator(db, validator_id)
        if (!row) continue
        entries.push({
          type: jailed ? 'validator.jailed' : 'validator.unjailed',
          position: positionOf(id),
          json: writeJson({ ...toValidator(row), jailed }).trimEnd(),
          facts: { validator: validator_id },
        })
      }
      return entries
    },
    matches: ({ facts }, { validators }) => validators?.has(facts.validator) ?? true,
  }
}

/** The proposal as `/v1/proposal/{id}` answers it; `status` is the one it entered at the height. */
export function proposalEvents(db: Db): EventKind<{ status: string }> {
  return {
    types: ['proposal'],
    isIn: (mark) => mark.has_proposals,
    async read({ height }) {
      const entries: Entry<{ status: string }>[] = []
      for (const { id, proposal_id, status } of await listProposalStates(db, height)) {
        const row = await findProposal(db, proposal_id)
        if (!row) continue
        entries.push({
          type: 'proposal',
          position: positionOf(id),
          json: writeJson(toProposal({ ...row, status })).trimEnd(),
          facts: { status },
        })
      }
      return entries
    },
    matches: ({ facts }, { proposalStatus }) => proposalStatus?.has(facts.status) ?? true,
  }
}
