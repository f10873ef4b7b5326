import type { ShortAddress, ShortValidator } from '../../../src/client/gen/operations.ts'
import { useClock } from '../clock.ts'
import { formatAge, formatBareAge, formatMoment, formatTia, formatTiaShort, readableType, shorten } from '../format.ts'
import { readNamespace } from '../namespace.ts'
import { linkTo } from '../router.ts'
import { Copy } from './copy.tsx'

/** Time as its age; the moment itself on hover. `bare` where a heading says that it is an age. */
export function Ago({ time, bare = false }: { time: string; bare?: boolean }) {
  const at = Date.parse(time)
  const age = useClock((now) => (bare ? formatBareAge(now - at) : formatAge(now - at)))
  return (
    <time dateTime={time} title={formatMoment(time)}>
      {age}
    </time>
  )
}

/** Moment and age. */
export function Moment({ time }: { time: string }) {
  return (
    <span>
      {formatMoment(time)}{' '}
      <span class="muted">
        (<Ago time={time} />)
      </span>
    </span>
  )
}

type HashProps = { value: string; what: string; href?: string; whole?: boolean; copy?: boolean; first?: number }

/** Long hex and base64 texts: shortened, whole on hover, copied by a button. */
export function Hash({ value, what, href, whole = false, copy = true, first = 8 }: HashProps) {
  if (value === '') return <span class="muted">none</span>
  const text = whole ? value : shorten(value, first)
  const shown = (
    <span class={whole ? 'mono break' : 'mono'} title={whole ? undefined : value}>
      {text}
    </span>
  )
  return (
    <span class="hash">
      {href ? <a href={href}>{shown}</a> : shown}
      {copy && <Copy value={value} what={what} />}
    </span>
  )
}

/** A tx of the genesis document has no hash; it is found by its id. */
export function TxLink({
  hash,
  id,
  copy = false,
  whole = false,
}: {
  hash: string
  id?: number
  copy?: boolean
  whole?: boolean
}) {
  if (hash === '') return id === undefined ? <span class="muted">genesis</span> : <a href={linkTo(['tx', id])}>genesis {id}</a>
  return <Hash value={hash} what="transaction hash" href={linkTo(['tx', hash])} copy={copy} whole={whole} />
}

export const BlockLink = ({ height }: { height: number }) => (
  <a class="mono" href={linkTo(['block', height])}>
    {height.toLocaleString('en')}
  </a>
)

/** A name of the account is shown in place of its address. */
export function AddressLink({
  address,
  whole = false,
  copy = false,
}: {
  address: ShortAddress
  whole?: boolean
  copy?: boolean
}) {
  const { hash, celestials } = address
  if (!hash) return <span class="muted">unknown</span>
  // Parties on other chains have no page here.
  const href = hash.startsWith('celestia1') || hash.startsWith('celestiavaloper1') ? linkTo(['address', hash]) : undefined
  if (celestials && href)
    return (
      <a href={href} title={hash}>
        {celestials.name}
      </a>
    )
  // All begin with the name of the chain.
  return (
    <Hash
      value={hash}
      what="address"
      whole={whole}
      copy={copy}
      first={hash.startsWith('celestiavaloper') ? 19 : 12}
      {...(href && { href })}
    />
  )
}

export const ValidatorLink = ({ validator }: { validator: ShortValidator }) => (
  <a href={linkTo(['validator', validator.id])}>{validator.moniker || shorten(validator.cons_address)}</a>
)

/** A namespace by its base64 form. */
export function NamespaceLink({ hash, name }: { hash: string; name?: string }) {
  const parts = readNamespace(hash)
  if (!parts) return <span class="mono">{shorten(hash)}</span>
  return (
    <a class="mono" href={linkTo(['namespace', parts.id, parts.version])} title={parts.id}>
      {shorten(name || parts.name || 'zero', 14, 6)}
    </a>
  )
}

export const Tia = ({ utia }: { utia: string }) => <span class="number">{formatTia(utia)}</span>

export const TiaShort = ({ utia }: { utia: string }) => (
  <span class="number" title={formatTia(utia)}>
    {formatTiaShort(utia)}
  </span>
)

export const Status = ({ status }: { status: 'success' | 'failed' }) => (
  <span class={`badge ${status === 'success' ? 'good' : 'bad'}`}>{status === 'success' ? 'Success' : 'Failed'}</span>
)

/** The first types of a transaction, and how many more. */
export function Types({ types }: { types: string[] }) {
  if (types.length === 0) return <span class="muted">none</span>
  const [first, ...rest] = types
  return (
    <span class="types" title={types.join(', ')}>
      <span class="badge">{readableType(first!)}</span>
      {rest.length > 0 && <span class="muted">+{rest.length}</span>}
    </span>
  )
}
