import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { BlockInput } from '../families/family.ts'
import type { LinkOwners } from '../pack/copy-table.ts'
import type { UndoRecord } from '../state/table.ts'

/**
 * What takes a height, or several at once, back: previous values of the state rows that they changed, and the owners whose link rows they
 * added (link tables are ordered by owner, so they cannot be searched by height).
 */
export type Undo = {
  state: Record<string, UndoRecord[]>
} & Record<LinkOwners, number[]>

export function encodeUndo(state: Undo['state'], inputs: readonly BlockInput[]): Buffer {
  const collect = (pick: (input: BlockInput) => Iterable<number>) => [...new Set(inputs.flatMap((input) => [...pick(input)]))]
  return packUndo({
    state,
    addresses: collect(({ addressIds }) => addressIds),
    namespaces: collect(({ namespaceIds }) => namespaceIds),
    validators: collect(({ linkedValidators }) => linkedValidators ?? []),
    rollups: collect(({ rollupLinks }) => (rollupLinks ?? []).map(([rollup]) => rollup)),
    holders: collect(({ changed }) => changed.holders),
    changeTypes: collect(({ changed }) => changed.types),
    stakedValidators: collect(({ changed }) => changed.validators),
    // An undecodable tx has no message but counts as MsgUnknown (0).
    messageTypes: [...new Set([0, ...collect(({ block }) => block.messageTypeCounts.map(([type]) => type))])],
  })
}

/** One record in place of several, the newest first: of each row the oldest value is kept. */
export function mergeUndos(undos: readonly Undo[]): Undo {
  const state: Undo['state'] = {}
  for (const name of new Set(undos.flatMap((undo) => Object.keys(undo.state)))) {
    const rows = new Map<string, UndoRecord>()
    for (const undo of undos) for (const record of undo.state[name] ?? []) rows.set(record[0].join('\u001f'), record)
    state[name] = [...rows.values()]
  }
  // Records of an older program do not name the owners of newer tables: it wrote no rows there.
  const union = (owners: LinkOwners) => [...new Set(undos.flatMap((undo) => undo[owners] ?? []))]
  return {
    state,
    addresses: union('addresses'),
    namespaces: union('namespaces'),
    validators: union('validators'),
    rollups: union('rollups'),
    holders: union('holders'),
    changeTypes: union('changeTypes'),
    stakedValidators: union('stakedValidators'),
    messageTypes: union('messageTypes'),
  }
}

export function packUndo(undo: Undo): Buffer {
  return deflateRawSync(JSON.stringify(undo), { level: 1 })
}

export function decodeUndo(payload: Uint8Array): Undo {
  return JSON.parse(inflateRawSync(payload).toString()) as Undo
}
