import type { Effect, EffectKind, EffectOf } from '../../types/effects.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import type { Wanted } from '../state/loader.ts'
import type { RowSink } from './row-sink.ts'

/** A block whose addresses and namespaces have their ids. */
export type BlockInput = {
  block: PackedBlock
  height: number
  time: string
  /** id of position 0 in this block: txs, messages, blobs and other numbered rows count from it */
  firstId: number
  /** by index in `block.addresses` / `block.namespaces` */
  addressIds: number[]
  namespaceIds: number[]
  /** the id of an account that the block touches, by its hex bytes; made on the spot when an effect alone names it */
  accountId: (address: string) => number
  /** (rollup, index of the blob in the block), each pair once; filled by the rollup family before the series run */
  rollupLinks?: [rollupId: number, blob: number][]
  /** validators whose signatures the block holds, those that are known; filled with the row of the block */
  signerIds?: number[]
  /** validators that messages of the block name; filled by the staking family */
  linkedValidators?: number[]
  /** stake that an effect moved where that is not the amount it states; filled by the staking family before the series run */
  movedStake?: Map<Effect, bigint>
  /** what the block logged changes of (balance-log.ts): a rollback finds the rows by it */
  changed: ChangedOwners
  /** append-only rows */
  rows: RowSink
}

export type ChangedOwners = { holders: Set<number>; types: Set<number>; validators: Set<number> }

export const noChanges = (): ChangedOwners => ({ holders: new Set(), types: new Set(), validators: new Set() })

/** How effects of these kinds change rows, kind by kind. */
export type EffectHandlers<K extends EffectKind = EffectKind> = {
  [Kind in K]: (input: BlockInput, effect: EffectOf<Kind>) => void
}

/**
 * One family of tables: everything that is kept about one subject. Families run in a fixed order for every block (families.ts).
 * What a family changes in state tables is undone by the undo log; append-only rows go to `rows` and are removed by height.
 */
export type Family = {
  /**
   * Names the rows of `keys` tables that `apply` will touch. Addresses and namespaces are loaded by then: `idOf` gives the id of one that is known,
   * undefined for one that this batch brings to life (its rows cannot exist yet).
   */
  prepare?: (block: PackedBlock, want: Wanted, idOf: (address: string) => number | undefined) => void
  /** Work per block, before any of its effects. */
  begin?: (input: BlockInput) => void
  /** Effects are applied one by one, in the order in which the chain made them: a tally sees the stake of that moment. */
  effects?: Partial<EffectHandlers>
  /** Work per block, after all of its effects. */
  apply?: (input: BlockInput) => void
}

/** A family that applies every kind of `E`: one that is left out does not compile. */
export type FamilyOf<E extends Effect> = Omit<Family, 'effects'> & { effects: EffectHandlers<E['kind']> }

/** Handlers that are plain functions get what they share, a `State` most of all, as their first argument. */
export function bindHandlers<Shared, K extends EffectKind>(
  shared: Shared,
  handlers: { [Kind in K]: (shared: Shared, input: BlockInput, effect: EffectOf<Kind>) => void },
): EffectHandlers<K> {
  const bound: Partial<EffectHandlers<K>> = {}
  for (const kind of Object.keys(handlers) as K[]) {
    const handle = handlers[kind]
    bound[kind] = (input, effect) => handle(shared, input, effect)
  }
  return bound as EffectHandlers<K>
}
