/** Column `kind` of `unsealed`: events of a block, events of a tx, value of a message. */
export const UNSEALED_KINDS = { block: 0, tx: 1, message: 2 } as const

export type UnsealedKind = keyof typeof UNSEALED_KINDS
