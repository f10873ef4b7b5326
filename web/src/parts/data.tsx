import { formatTia } from '../format.ts'
import { readNamespace } from '../namespace.ts'
import { AddressLink, NamespaceLink } from './values.tsx'

type Json = unknown

/** The content of a message: names and values, nested ones set in. Addresses, namespaces and native coins are read. */
export function Data({ value }: { value: Json }) {
  if (Array.isArray(value)) return <List items={value} />
  if (isRecord(value)) {
    if (isCoin(value)) return <span class="number">{coinText(value)}</span>
    const entries = Object.entries(value)
    if (entries.length === 0) return <span class="muted">empty</span>
    return (
      <dl class="pairs">
        {entries.map(([name, part]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Data value={part} />
            </dd>
          </div>
        ))}
      </dl>
    )
  }
  return <Scalar value={value} />
}

function List({ items }: { items: Json[] }) {
  if (items.length === 0) return <span class="muted">none</span>
  return (
    <ol class="values">
      {items.map((item, i) => (
        <li key={i}>
          <Data value={item} />
        </li>
      ))}
    </ol>
  )
}

function Scalar({ value }: { value: Json }) {
  if (value === null || value === '') return <span class="muted">{value === null ? 'not set' : 'empty'}</span>
  if (typeof value !== 'string') return <span class="number">{String(value)}</span>
  if (/^celestia(valoper)?1[02-9ac-hj-np-z]{38,}$/.test(value)) return <AddressLink address={{ hash: value }} whole />
  if (value.length === 40 && value.startsWith('A') && readNamespace(value)) return <NamespaceLink hash={value} />
  return <span class="break">{value}</span>
}

type Coin = { Denom: string; Amount: string }

const isRecord = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null

const isCoin = (value: Record<string, Json>): value is Coin =>
  Object.keys(value).length === 2 && typeof value.Denom === 'string' && typeof value.Amount === 'string'

const coinText = ({ Denom, Amount }: Coin) =>
  Denom === 'utia' && /^-?\d+$/.test(Amount) ? formatTia(Amount) : `${Amount} ${Denom}`
