import type {
  Address,
  BlobLog,
  Block,
  Namespace,
  Rollup,
  SearchItem,
  SearchRecord,
  Tx,
  Validator,
} from '../../src/client/gen/operations.ts'
import { formatInteger, readableName, shorten } from './format.ts'
import { linkTo } from './router.ts'

export type Hit = { kind: string; name: string; detail: string; href: string }

/** Where a hit leads, and two words about it. `type` says which object stands in `result`. */
export function describeHit({ type, result }: SearchItem): Hit {
  switch (type) {
    case 'block': {
      const { height, hash } = result as Block
      return { kind: 'Block', name: formatInteger(height), detail: shorten(hash), href: linkTo(['block', height]) }
    }
    case 'tx': {
      const { hash, height } = result as Tx
      return { kind: 'Tx', name: shorten(hash), detail: `block ${formatInteger(height)}`, href: linkTo(['tx', hash]) }
    }
    case 'address': {
      const { hash, celestials, name } = result as Address
      return {
        kind: 'Account',
        name: celestials?.name ?? name ?? shorten(hash, 14, 8),
        detail: celestials || name ? shorten(hash) : '',
        href: linkTo(['address', hash]),
      }
    }
    case 'namespace': {
      const { name, namespace_id, version } = result as Namespace
      return {
        kind: 'Namespace',
        name: shorten(name || 'zero', 20, 6),
        detail: shorten(namespace_id),
        href: linkTo(['namespace', namespace_id, version]),
      }
    }
    case 'validator': {
      const { id, moniker, address } = result as Validator
      return { kind: 'Validator', name: moniker, detail: shorten(address.hash, 14, 6), href: linkTo(['validator', id]) }
    }
    case 'blob': {
      const { commitment, height, namespace } = result as BlobLog
      return {
        kind: 'Blob',
        name: shorten(commitment),
        detail: `block ${formatInteger(height)}`,
        href: linkTo(['blob', height, namespace?.hash ?? '', commitment]),
      }
    }
    case 'rollup': {
      const { name, slug, stack } = result as Rollup
      return { kind: 'Rollup', name, detail: stack ?? '', href: linkTo(['rollup', slug]) }
    }
    case 'proposal': {
      const { id, name, detail } = result as SearchRecord
      return { kind: 'Proposal', name: `#${id} ${name}`, detail, href: linkTo(['proposal', id]) }
    }
    case 'ibc_client': {
      const { id, name } = result as SearchRecord
      return { kind: 'IBC client', name: id, detail: name, href: linkTo(['ibc', 'client', id]) }
    }
    case 'ibc_channel': {
      const { id, name } = result as SearchRecord
      return { kind: 'IBC channel', name: id, detail: name, href: linkTo(['ibc', 'channel', id]) }
    }
    case 'hyperlane_domain': {
      const { id, name } = result as SearchRecord
      return { kind: 'Hyperlane', name, detail: `domain ${id}`, href: linkTo(['hyperlane', 'domain', id]) }
    }
    case 'upgrade': {
      const { id, name, detail } = result as SearchRecord
      return { kind: 'Upgrade', name, detail: readableName(detail), href: linkTo(['upgrade', id]) }
    }
  }
}
