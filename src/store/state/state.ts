import { addressTable, balanceTable, headTable, namespaceTable, supplyTable } from './account-tables.ts'
import {
  constantTable,
  denomMetadataTable,
  proposalDepositTable,
  proposalTable,
  vestingAccountTable,
  vestingPeriodTable,
  voteTable,
} from './gov-tables.ts'
import { grantTable, proposalGrantTable } from './grant-tables.ts'
import { balanceChangeTypeTable, historySpanTable } from './history-tables.ts'
import { StakeMoves } from './stake-moves.ts'
import {
  consensusKeyTable,
  consensusValidatorTable,
  delegationTable,
  endedDelegationTable,
  redelegationTable,
  undelegationTable,
  validatorPowerTable,
  validatorTable,
} from './staking-tables.ts'
import { startTable } from './start-table.ts'
import { type RowLimits, StateTable, type TableChanges, type UndoRecord } from './table.ts'
import type { LastIds, TableDef } from './table-def.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list of tables of unlike rows; each is used through its own type
type AnyTable = StateTable<any>

/** A row takes 300 to 2,000 bytes. Most of them, such as the counts of an hour that is over, are never used again. */
const ROW_LIMITS: RowLimits = { few: 10_000, many: 150_000, recentBatches: 8 }

/**
 * Everything mutable that the writer works on. Families of the write path add their own tables with `table()`; a table's name is its
 * identity in undo records, so the order of registration does not matter.
 */
export class State {
  readonly #tables = new Map<string, AnyTable>()

  readonly head = this.table(headTable)
  readonly start = this.table(startTable)
  readonly address = this.table(addressTable)
  readonly balance = this.table(balanceTable)
  readonly supply = this.table(supplyTable)
  readonly balanceChangeType = this.table(balanceChangeTypeTable)
  readonly historySpan = this.table(historySpanTable)
  readonly namespace = this.table(namespaceTable)
  readonly validator = this.table(validatorTable)
  readonly validatorPower = this.table(validatorPowerTable)
  readonly consensusKey = this.table(consensusKeyTable)
  readonly consensusValidator = this.table(consensusValidatorTable)
  readonly delegation = this.table(delegationTable)
  readonly endedDelegation = this.table(endedDelegationTable)
  readonly undelegation = this.table(undelegationTable)
  readonly redelegation = this.table(redelegationTable)
  readonly proposal = this.table(proposalTable)
  readonly proposalDeposit = this.table(proposalDepositTable)
  readonly vote = this.table(voteTable)
  readonly constant = this.table(constantTable)
  readonly denomMetadata = this.table(denomMetadataTable)
  readonly grant = this.table(grantTable)
  readonly proposalGrant = this.table(proposalGrantTable)
  readonly vestingAccount = this.table(vestingAccountTable)
  readonly vestingPeriod = this.table(vestingPeriodTable)

  readonly stakeMoves = new StakeMoves()

  table<Row extends object>(def: TableDef<Row>): StateTable<Row> {
    const table = new StateTable<Row>(def)
    this.#tables.set(def.name, table)
    return table
  }

  tables(): IterableIterator<AnyTable> {
    return this.#tables.values()
  }

  beginBatch(batch: number): void {
    const head = this.head.get('true')
    const last: LastIds = {
      address: head?.total_accounts ?? 0,
      namespace: head?.total_namespaces ?? 0,
      validator: head?.total_validators ?? 0,
    }
    for (const table of this.#tables.values()) table.beginBatch(batch, last)
  }

  beginHeight(height: number): void {
    for (const table of this.#tables.values()) table.beginHeight(height)
  }

  /** Previous values of what the height changed, by table. */
  takeUndo(): Record<string, UndoRecord[]> {
    const undo: Record<string, UndoRecord[]> = {}
    for (const table of this.#tables.values()) {
      const records = table.takeUndo()
      if (records.length > 0) undo[table.def.name] = records
    }
    return undo
  }

  takeChanges(): { table: AnyTable; changes: TableChanges }[] {
    const result: { table: AnyTable; changes: TableChanges }[] = []
    for (const table of this.#tables.values()) {
      const changes = table.takeChanges()
      if (changes) result.push({ table, changes })
    }
    return result
  }

  evict(committedBatch: number): void {
    for (const table of this.#tables.values()) table.evict(committedBatch, ROW_LIMITS)
  }
}
