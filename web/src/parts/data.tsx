import { formatBytes, formatCoin, readableField, readCoins } from '../format.ts'
import { readNamespace } from '../namespace.ts'
import { AddressLink, BlockLink, Moment, NamespaceLink, TxLink } from './values.tsx'

const ACCOUNT = /^celestia(valoper)?1[02-9ac-hj-np-z]{38,}$/

type Json = unknown

/** The content of a message: names and values, nested ones set in. Addresses, namespaces, sizes and native coins are read. */
export function Data({ value, name = '' }: { value: Json; name?: string }) {
  if (Array.isArray(value)) return <List items={value} name={name} />
  if (isRecord(value)) {
    if (isAddress(value)) return <AddressLink address={value} whole />
    if (isCoin(value)) return <span class="number">{formatCoin(value.Amount, value.Denom)}</span>
    const entries = Object.entries(value)
    if (entries.length === 0) return <span class="muted">empty</span>
    return (
      <dl class="pairs">
        {entries.map(([name, part]) => (
          <div key={name}>
            <dt title={name}>{readableField(name)}</dt>
            <dd>
              <Data value={part} name={name} />
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  return <Scalar value={value} name={name} />
}

function List({ items, name }: { items: Json[]; name: string }) {
  if (items.length === 0) return <span class="muted">none</span>
  return (
    <ol class="values">
      {items.map((item, i) => (
        <li key={i}>
          <Data value={item} name={name} />
        </li>
      ))}
    </ol>
  )
}

/** An attribute of an event is a text: amounts, and what typed events write as JSON, are read. */
export function Attribute({ name, value }: { name: string; value: string }) {
  const coins = readCoins(value)
  if (coins !== undefined)
    return (
      <span class="number" title={value}>
        {coins}
      </span>
    )
  return <Data value={readJson(value)} name={name} />
}

/** Only what is surely JSON: a list, an object or a quoted text. A bare word stays as it is, and so do numbers that would lose digits. */
function readJson(text: string): Json {
  if (!/^[[{"]/.test(text) || /[^"\d]\d{16}/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function Scalar({ value, name }: { value: Json; name: string }) {
  if (value === null || value === '') return <span class="muted">{value === null ? 'not set' : 'empty'}</span>
  if (typeof value === 'number' && /sizes?$/i.test(name)) return <span class="number">{formatBytes(value)}</span>
  if (typeof value === 'number' && /^(height|confirmation_height|connected_height|end_height)$/.test(name))
    return <BlockLink height={value} />
  if (typeof value !== 'string') return <span class="number">{String(value)}</span>
  if (/tx_hash$/.test(name) && /^[0-9a-f]{64}$/i.test(value)) return <TxLink hash={value} whole />
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return <Moment time={value} />
  if (ACCOUNT.test(value)) return <AddressLink address={{ hash: value }} whole />
  if (value.length === 40 && value.startsWith('A') && readNamespace(value)) return <NamespaceLink hash={value} />
  return <span class="break">{value}</span>
}

type Coin = { Denom: string; Amount: string }

const isRecord = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null

const isAddress = (value: Record<string, Json>): value is { hash: string } =>
  typeof value.hash === 'string' &&
  ACCOUNT.test(value.hash) &&
  Object.keys(value).every((name) => name === 'hash' || name === 'celestials')

const isCoin = (value: Record<string, Json>): value is Coin =>
  Object.keys(value).length === 2 && typeof value.Denom === 'string' && typeof value.Amount === 'string'
