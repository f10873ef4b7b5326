import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { BlockInput } from '../families/family.ts'
import type { LinkOwners } from '../pack/copy-table.ts'
import type { UndoRecord } from '../state/table.ts'

/**
 * What takes a height back: previous values of the state rows it changed, and the owners whose link rows it added (link tables are
 * ordered by owner, so they cannot be searched by height).
 */
export type Undo = {
  state: Record<string, UndoRecord[]>
} & Record<LinkOwners, number[]>

export function encodeUndo(state: Undo['state'], input: BlockInput): Buffer {
  const undo: Undo = {
    state,
    addresses: input.addressIds,
    namespaces: input.namespaceIds,
    validators: input.linkedValidators ?? [],
    rollups: [...new Set((input.rollupLinks ?? []).map(([rollup]) => rollup))],
    holders: [...input.changed.holders],
    changeTypes: [...input.changed.types],
    stakedValidators: [...input.changed.validators],
    // An undecodable tx has no message but counts as MsgUnknown (0).
    messageTypes: [...new Set([0, ...input.block.messageTypeCounts.map(([type]) => type)])],
  }
  return packUndo(undo)
}

export function packUndo(undo: Undo): Buffer {
  return deflateRawSync(JSON.stringify(undo), { level: 1 })
}

export function decodeUndo(payload: Uint8Array): Undo {
  return JSON.parse(inflateRawSync(payload).toString()) as Undo
}
