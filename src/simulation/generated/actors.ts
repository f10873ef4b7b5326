import { makeSigner, type Signer } from '../node/sign.ts'
import { anAccount } from '../txs/accounts.ts'
import type { Profile } from './profile.ts'

/** Accounts of a generated chain: a name always gives the same key and account. */
export type Actors = {
  validators: readonly ValidatorActor[]
  /** addresses */
  users: readonly string[]
  rollups: readonly string[]
}

/** `text` is the address of the operator's account. */
export type ValidatorActor = { name: string; text: string; operator: string; signer: Signer }

export const userName = (position: number): string => `user ${position + 1}`

export function castActors({ validators, users, rollups }: Profile): Actors {
  return {
    validators: validators.map(({ name }) => {
      const { text, operator } = anAccount(`validator ${name}`)
      return { name, text, operator, signer: makeSigner(`validator ${name}`, 0n) }
    }),
    users: Array.from({ length: users }, (_, i) => anAccount(userName(i)).text),
    rollups: rollups.map(({ account }) => anAccount(account).text),
  }
}
