import type pg from 'pg'
import { Invariant } from '../../lib/errors.ts'
import type { Effect, EffectKind } from '../../types/effects.ts'
import type { AccountFieldOf } from '../../types/facts.ts'
import { touchAccount } from '../families/accounts.ts'
import { namespaceKey, touchNamespaces } from '../families/blobs.ts'
import { type BlockInput, type Family, noChanges } from '../families/family.ts'
import { grantsBehind } from '../families/grants.ts'
import type { RollupRegistry } from '../families/rollups.ts'
import { RowSink } from '../families/row-sink.ts'
import { firstId } from '../pack/id.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { accountsBehind, validatorsBehind, votersBehind } from '../staking/stake-behind.ts'
import { loadAddressesById, Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'
import { createFamilies, type Families } from './families.ts'
import { encodeUndo } from './undo.ts'

/** Output of a batch: rows to append, and per height the record that takes it back. State changes wait in the state tables. */
export type AppliedBatch = { from: number; to: number; rows: RowSink; undo: { height: number; payload: Buffer }[] }

/** Applies blocks to the state, in height order. Database reads happen before a batch is applied, never inside. */
export class BatchApplier {
  readonly #state: State
  readonly #families: Families
  readonly #dispatchers = new Map<readonly Family[], ReturnType<typeof createEffectDispatcher>>()

  constructor(state: State, registry: () => RollupRegistry) {
    this.#state = state
    this.#families = createFamilies(state, registry)
    for (const families of Object.values(this.#families)) this.#dispatchers.set(families, createEffectDispatcher(families))
  }

  /** Loads what the batch with this number will touch. */
  async prepare(blocks: PackedBlock[], batch: number, client: pg.ClientBase): Promise<void> {
    const state = this.#state
    state.beginBatch(batch)
    // Owners first: the rows of the families are keyed by their ids.
    const owners = new Wanted()
    for (const block of blocks) {
      for (const address of block.addresses) owners.row(state.address, address)
      for (const effect of block.effects) {
        for (const address of accountsOf(effect)) owners.row(state.address, address)
        for (const { granter, grantee } of grantsBehind(state, effect)) {
          owners.row(state.address, granter)
          owners.row(state.address, grantee)
        }
      }
      for (const namespace of block.namespaces) owners.row(state.namespace, ...namespaceKey(namespace))
    }
    await owners.load(client)

    const validators = validatorsBehind(
      state,
      blocks.flatMap((block) => block.effects),
    )
    const rest = new Wanted()
    const idOf = (address: string) => state.address.get(address)?.id
    rest.rowsOf(state.delegation, 'validator_id', validators)
    rest.rowsOf(state.delegation, 'address_id', votersBehind(state, blocks, idOf))
    for (const block of blocks) for (const family of this.#familiesOf(block.height)) family.prepare?.(block, rest, idOf)
    await rest.load(client)
    const accounts = accountsBehind(state, validators)
    if (accounts.size > 0) await loadAddressesById(client, state, [...accounts])
  }

  /** `keepUndoFrom`: heights below it can no longer be rolled back, their records are not written. */
  apply(blocks: PackedBlock[], keepUndoFrom: number): AppliedBatch {
    const rows = new RowSink()
    const undo: AppliedBatch['undo'] = []
    for (const block of blocks) {
      rows.beginBlock()
      const keepUndo = block.height >= keepUndoFrom
      this.#state.beginHeight(block.height, keepUndo)
      const input = this.#resolve(block, rows)
      this.#applyFamilies(input)
      if (keepUndo) undo.push({ height: block.height, payload: encodeUndo(this.#state.takeUndo(), input) })
    }
    return { from: blocks[0]!.height, to: blocks.at(-1)!.height, rows, undo }
  }

  #familiesOf(height: number): readonly Family[] {
    const { whole, stateless, start } = this.#families
    const { has_state: hasState, base_height: base } = this.#state.start.get('true')!
    if (hasState) return whole
    return height > base ? stateless : start
  }

  /** A rule of ours that a block breaks is broken by its content first: whoever reports it has to know the height. */
  #applyFamilies(input: BlockInput): void {
    const families = this.#familiesOf(input.height)
    const applyEffect = this.#dispatchers.get(families)!
    try {
      for (const family of families) family.begin?.(input)
      for (const effect of input.block.effects) applyEffect(input, effect)
      for (const family of families) family.apply?.(input)
    } catch (error) {
      if (!(error instanceof Invariant)) throw error
      throw new Invariant(error.code, error.message, { ...error.facts, height: input.height }, error)
    }
  }

  #resolve(block: PackedBlock, rows: RowSink): BlockInput {
    const state = this.#state
    const { height, time } = block
    const addressIds = block.addresses.map((address) => touchAccount(state, address, height).id)
    return {
      block,
      height,
      time,
      firstId: firstId(height),
      addressIds,
      namespaceIds: touchNamespaces(state, block, time),
      accountId: (address) => state.address.get(address)?.id ?? touchAccount(state, address, height).id,
      changed: noChanges(),
      rows,
    }
  }
}

/** Fields of effects that hold accounts, as the types of the effects say: their rows are loaded before the effect is applied. */
export type AccountField = AccountFieldOf<Effect>

export type AccountFields = Record<AccountField, true>

/** Types are gone when the program runs, so the names stand here again; one too few or too many does not compile. */
const FIELDS: AccountFields = {
  operator: true,
  delegator: true,
  source: true,
  destination: true,
  proposer: true,
  depositor: true,
  voter: true,
  granter: true,
  grantee: true,
  address: true,
  creator: true,
  sender: true,
  receiver: true,
  owner: true,
  relayer: true,
  signer: true,
}

const ACCOUNT_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELDS))

/** The accounts that an effect names. */
export function* accountsOf(effect: Effect): Generator<string> {
  for (const field in effect) {
    const value = effect[field as keyof Effect] as unknown
    if (typeof value === 'string' && value !== '' && ACCOUNT_FIELDS.has(field)) yield value
  }
}

type Handler = (input: BlockInput, effect: Effect) => void

/** Applies one effect in every family that handles its kind, in the order of the families. */
export function createEffectDispatcher(families: readonly Family[]): Handler {
  const byKind = new Map<EffectKind, Handler[]>()
  for (const { effects = {} } of families) {
    for (const [kind, handler] of Object.entries(effects) as [EffectKind, Handler][]) {
      const handlers = byKind.get(kind)
      if (handlers) handlers.push(handler)
      else byKind.set(kind, [handler])
    }
  }
  return (input, effect) => {
    // Some of the families alone need not handle every kind; all of them do, or `createFamilies` does not compile.
    for (const handle of byKind.get(effect.kind) ?? []) handle(input, effect)
  }
}
