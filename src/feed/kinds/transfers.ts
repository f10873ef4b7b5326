import { writeJson } from '../../api/http/write-json.ts'
import type { RouteReader } from '../../api/route-reader.ts'
import { toHyperlaneTransfer } from '../../api/view/hyperlane-transfer.ts'
import { findRelayers, toIbcTransfer } from '../../api/view/ibc-transfer.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Db } from '../../store/db.ts'
import { positionOf } from '../../store/pack/id.ts'
import { listHlTransfers } from '../../store/read/hyperlane/transfer.ts'
import { listIbcTransfers } from '../../store/read/ibc/transfer.ts'
import { findDomains } from '../../store/read/offchain-documents.ts'
import { messageTypeName } from '../../types/message-type.ts'
import type { Entry, EventKind, Selection } from '../kind.ts'

type TransferFacts = { amounts: readonly Coin[]; parties: readonly (string | undefined)[] }
type Coin = { denom: string; amount: bigint }

const BANK_TYPES = ['MsgSend', 'MsgMultiSend']
const NATIVE = 'utia'

/** Transfers of a block are at most as many as it has messages. */
const ALL = { limit: 100_000, offset: 0, sort: 'asc' as const }

function matchesTransfer(
  { facts: { amounts, parties } }: Entry<TransferFacts>,
  { addresses, denom, minAmount }: Selection,
): boolean {
  if (addresses && !parties.some((party) => party !== undefined && addresses.includes(party))) return false
  if (denom === undefined && minAmount === undefined) return true
  const wanted = denom ?? NATIVE
  return amounts.some((coin) => coin.denom === wanted && coin.amount >= (minAmount ?? 0n))
}

/** Messages that send coins, as `/v1/block/{height}/messages` lists them; those of failed transactions sent nothing. */
export function bankTransferEvents(routes: RouteReader): EventKind<TransferFacts> {
  const list = routes.list('/v1/block/:height/messages')
  return {
    types: ['transfer'],
    isIn: ({ message_types }) => message_types.some((type) => BANK_TYPES.includes(messageTypeName(type))),
    async read({ height }) {
      const rows = await list({ msg_type: BANK_TYPES }, { height })
      return rows
        .filter(({ tx }) => (tx as { status?: string } | undefined)?.status === 'success')
        .map((row) => {
          const json = writeJson(row).trimEnd()
          return { type: 'transfer', position: positionOf(Number(row.id)), json, facts: bankFactsOf(json) }
        })
    },
    matches: matchesTransfer,
  }
}

type BankData = {
  FromAddress?: string
  ToAddress?: string
  Amount?: WireCoin[]
  Inputs?: BankPart[]
  Outputs?: BankPart[]
}
type BankPart = { Address?: string; Coins?: WireCoin[] }
type WireCoin = { Denom?: string; Amount?: string; denom?: string; amount?: string }

/** From the written object: a large message is not there in any other form. Every output of a multi-send counts alone. */
function bankFactsOf(json: string): TransferFacts {
  const { data } = JSON.parse(json) as { data: BankData | null }
  const outputs = data?.Outputs ?? []
  const coins = [data?.Amount ?? [], ...outputs.map(({ Coins = [] }) => Coins)].flat()
  const parties = [data?.FromAddress, data?.ToAddress, ...[...(data?.Inputs ?? []), ...outputs].map(({ Address }) => Address)]
  return { amounts: coins.map(toCoin), parties: parties.map((text) => text && decodeAccount(text)) }
}

const toCoin = ({ Denom, Amount, denom, amount }: WireCoin): Coin => ({
  denom: Denom ?? denom ?? '',
  amount: BigInt(Amount ?? amount ?? 0),
})

/** As `/v1/ibc/transfer` lists them. */
export function ibcTransferEvents(db: Db): EventKind<TransferFacts> {
  return {
    types: ['ibc_transfer'],
    isIn: (mark) => mark.has_ibc_transfers,
    async read({ height }) {
      const rows = await listIbcTransfers(db, { ...ALL, height })
      const relayers = await findRelayers(db, rows)
      return rows.map((row) => ({
        type: 'ibc_transfer',
        position: positionOf(row.id),
        json: writeJson(toIbcTransfer(row, relayers)).trimEnd(),
        facts: { amounts: [{ denom: row.denom, amount: BigInt(row.amount) }], parties: [row.sender?.[0], row.receiver?.[0]] },
      }))
    },
    matches: matchesTransfer,
  }
}

/** As `/v1/hyperlane/transfer` lists them. */
export function hyperlaneTransferEvents(db: Db): EventKind<TransferFacts> {
  return {
    types: ['hyperlane_transfer'],
    isIn: (mark) => mark.has_hyperlane_transfers,
    async read({ height }) {
      const rows = await listHlTransfers(db, { ...ALL, height })
      const domains = await findDomains(db, [...new Set(rows.map((row) => row.domain))])
      return rows.map((row) => ({
        type: 'hyperlane_transfer',
        position: positionOf(row.id),
        json: writeJson(toHyperlaneTransfer(row, domains)).trimEnd(),
        facts: { amounts: [{ denom: row.denom, amount: BigInt(row.amount) }], parties: [row.address?.[0]] },
      }))
    },
    matches: matchesTransfer,
  }
}
