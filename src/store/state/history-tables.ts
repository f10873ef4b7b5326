import type { Cause, Part } from '../../types/balance-change.ts'
import { bool, type Column, int, text } from './column.ts'
import { defineTable } from './table-def.ts'

/** The supply is kept like a part of an account. */
export type ChangedPart = Part | 'supply'

/** Numbered in order of first appearance; rows are never removed but by a rollback. */
export const balanceChangeTypeTable = defineTable({
  name: 'balance_change_type',
  key: ['part', 'cause', 'denom'],
  residence: 'all',
  columns: {
    id: int,
    part: text as Column<string> as Column<ChangedPart>,
    cause: text as Column<string> as Column<Cause>,
    denom: text,
  },
})

/** Heights without a gap whose changes are kept. */
export const historySpanTable = defineTable({
  name: 'history_span',
  key: ['one'],
  residence: 'all',
  columns: { one: bool, first_height: int, last_height: int },
})
