/**
 * Plays blocks into families of the write path without a database. After every block it checks what any family must keep: the undo
 * record takes the block back exactly, and the changes handed to the database are all there were.
 */
import assert from 'node:assert/strict'
import { emptyBlock } from '../src/derive/empty-block.ts'
import { decFromInt } from '../src/lib/dec.ts'
import { touchAccount } from '../src/store/families/accounts.ts'
import { type BlockInput, type Family, noChanges } from '../src/store/families/family.ts'
import { RowSink } from '../src/store/families/row-sink.ts'
import { APPEND_ONLY, type AppendOnlyTable } from '../src/store/pack/append-only.ts'
import { firstId } from '../src/store/pack/id.ts'
import { packBlock } from '../src/store/pack/pack-block.ts'
import { headBefore } from '../src/store/state/account-tables.ts'
import type { ValidatorRow } from '../src/store/state/staking-tables.ts'
import { State } from '../src/store/state/state.ts'
import { createEffectDispatcher } from '../src/store/write/apply-batch.ts'
import type { BlockFacts } from '../src/types/block-facts.ts'
import type { Effect } from '../src/types/effects.ts'

export type BenchBlock = {
  time?: string
  versionApp?: number
  /** signers of each tx */
  txs?: string[][]
}

type Snapshot = Map<string, (string | null)[]>

export type AppendedRow = Record<string, string | null>

export class StateBench {
  readonly state = new State()
  readonly families: Family[]
  readonly #applyEffect: (input: BlockInput, effect: Effect) => void
  #batch = 0

  constructor(...factories: ((state: State) => Family)[]) {
    const head = headBefore(1, { chainId: 'bench-1', genesisHash: '' })
    this.state.head.insert({ ...head, last_time: '2026-11-15T02:25:24.033799Z', version: 9 })
    this.#beginBatch()
    this.families = factories.map((create) => create(this.state))
    this.#applyEffect = createEffectDispatcher(this.families)
  }

  /** There is no database: whoever is not in memory is new. */
  #beginBatch(): void {
    this.#batch++
    for (const table of this.state.tables()) table.beginBatch(this.#batch, { address: 0, namespace: 0, validator: 0 })
  }

  /** Applies a block of these effects; returns the rows it appended. */
  play(
    height: number,
    effects: Effect[],
    { time, versionApp, txs }: BenchBlock = {},
  ): Partial<Record<AppendOnlyTable, AppendedRow[]>> {
    const { state } = this
    this.#beginBatch()
    state.takeUndo()
    const before = this.#snapshot()
    // Whatever was set up by hand counts as committed.
    state.takeChanges()
    state.beginHeight(height)

    const addresses = [...new Set((txs ?? []).flat())]
    const rows = new RowSink()
    const accountId = (address: string) => this.accountId(address, height)
    const block = packBlock(
      makeFacts(
        { height, time: time ?? timeOf(height), versionApp: versionApp ?? state.head.get('true')!.version },
        txs ?? [],
        addresses,
        effects,
      ),
    )
    const input: BlockInput = {
      block,
      height,
      time: block.time,
      firstId: firstId(height),
      addressIds: addresses.map(accountId),
      namespaceIds: [],
      accountId,
      changed: noChanges(),
      rows,
    }
    for (const family of this.families) family.begin?.(input)
    for (const effect of effects) this.#applyEffect(input, effect)
    for (const family of this.families) family.apply?.(input)

    this.#checkUndo(before)
    this.#checkChanges(before)
    state.head.edit('true')!.version = block.versionApp
    return readRows(rows)
  }

  /** A validator whose operator holds all of its stake; `shares` differ from the stake after a slash. */
  addValidator(operator: string, stake: bigint, fields: Partial<ValidatorRow> = {}): number {
    const head = this.state.head.edit('true')!
    const id = ++head.total_validators
    const operatorId = this.accountId(operator)
    const shares = fields.shares ?? decFromInt(stake)
    this.state.validator.insert({
      id,
      operator_id: operatorId,
      delegator_id: operatorId,
      operator,
      cons_address: operator.replaceAll('0', 'c'),
      moniker: `validator ${id}`,
      website: '',
      identity: '',
      contacts: '',
      details: '',
      rate: 0n,
      max_rate: 0n,
      max_change_rate: 0n,
      min_self_delegation: 1n,
      stake,
      rewards: 0n,
      commissions: 0n,
      jailed: false,
      bonded: true,
      version: 0,
      messages_count: 0,
      creation_time: timeOf(0),
      first_height: 0,
      ...fields,
      shares,
    })
    this.state.delegation.insert({ validator_id: id, address_id: operatorId, shares, amount: stake })
    if (fields.bonded !== false)
      this.state.validatorPower.insert({ validator_id: id, power: stake / 1_000_000n, left_height: null, left_time: null })
    return id
  }

  /** Moves shares from the operator's own delegation to another account. */
  handOver(validatorId: number, address: string, shares: bigint): void {
    const validator = this.state.validator.get(validatorId)!
    this.state.delegation.edit(validatorId, validator.operator_id!)!.shares -= shares
    this.state.delegation.insert({
      validator_id: validatorId,
      address_id: this.accountId(address),
      shares,
      amount: shares / decFromInt(1n),
    })
  }

  accountId(address: string, height = 0): number {
    if (!this.state.address.isLoaded(address)) this.state.address.adoptAbsent(address)
    return this.state.address.get(address)?.id ?? touchAccount(this.state, address, height).id
  }

  #snapshot(): Snapshot {
    const rows: Snapshot = new Map()
    for (const table of this.state.tables()) {
      for (const row of table.all()) rows.set(`${table.def.name}/${table.keyOf(row)}`, table.encode(row))
    }
    return rows
  }

  #checkUndo(before: Snapshot): void {
    const reverted = this.#snapshot()
    for (const [name, records] of Object.entries(this.state.takeUndo())) {
      for (const [key, row] of records) {
        const id = `${name}/${key.map((part) => part.replace(/^\\x/, '')).join('\u001f')}`
        if (row) reverted.set(id, row)
        else reverted.delete(id)
      }
    }
    assert.deepEqual(sorted(reverted), sorted(before), 'the undo record takes the block back')
  }

  #checkChanges(before: Snapshot): void {
    const written = new Map(before)
    for (const { table, changes } of this.state.takeChanges()) {
      const name = table.def.name
      for (let i = 0; i < (changes.upserts[0]?.length ?? 0); i++) {
        const texts = changes.upserts.map((column) => column[i]!)
        written.set(`${name}/${table.keyOf(table.decode(texts))}`, texts)
      }
      for (let i = 0; i < (changes.deletes[0]?.length ?? 0); i++) {
        written.delete(`${name}/${changes.deletes.map((column) => column[i]!.replace(/^\\x/, '')).join('\u001f')}`)
      }
    }
    assert.deepEqual(sorted(written), sorted(this.#snapshot()), 'every change reaches the database')
  }
}

/** Three seconds a block. */
export const timeOf = (height: number): string =>
  `${new Date(Date.UTC(2026, 10, 15, 2, 0, 0) + height * 3000).toISOString().slice(0, 19)}.000000Z`

/** A made-up account: twenty bytes of one number. */
export const account = (n: number): string => n.toString(16).padStart(2, '0').repeat(20)

/** The consensus address of the validator whose operator is that account. */
export const consAddress = (n: number): string => account(n).replaceAll('0', 'c').toUpperCase()

const sorted = (rows: Snapshot) => [...rows].sort(([a], [b]) => (a < b ? -1 : 1))

function readRows(sink: RowSink): Partial<Record<AppendOnlyTable, AppendedRow[]>> {
  const result: Partial<Record<AppendOnlyTable, AppendedRow[]>> = {}
  for (const [table, texts] of sink.entries()) {
    result[table] = texts
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const values = line.split('\t')
        assert.equal(values.length, APPEND_ONLY[table].columnNames.length, `${table} gets a value for every column`)
        return Object.fromEntries(
          APPEND_ONLY[table].columnNames.map((column, i) => [column, values[i] === '\\N' ? null : values[i]!]),
        )
      })
  }
  return result
}

function makeFacts(
  header: { height: number; time: string; versionApp: number },
  txs: string[][],
  addresses: string[],
  effects: Effect[],
): BlockFacts {
  const empty = emptyBlock({ versionBlock: 11, ...header })
  return {
    ...empty,
    stats: { ...empty.stats, txCount: txs.length, squareSize: 1 },
    txs: txs.map((signers, position) => ({
      position,
      hash: position.toString(16).padStart(64, '0'),
      gasWanted: 0n,
      gasUsed: 0n,
      feeUtia: 0n,
      feeOther: '',
      timeoutHeight: 0n,
      memo: '',
      success: true,
      code: 0,
      codespace: '',
      error: '',
      messageTypes: [],
      messagesCount: 0,
      signers,
      events: [],
      blobs: [],
    })),
    addresses,
    effects,
  }
}
