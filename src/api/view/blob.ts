import type { Static } from 'typebox'
import type { JoinedBlobRow, LightBlobRow } from '../../store/read/blob.ts'
import type { NamespaceRow } from '../../store/read/namespace.ts'
import type { TxRow } from '../../store/read/tx/tx.ts'
import type { BlobLog, LightBlobLog } from '../schema/blob.ts'
import { toCelestials, toShortAddress } from './account.ts'
import { toNamespace, toNamespaceHash } from './namespace.ts'
import { toTx } from './tx.ts'

/** A blob with whatever was joined to its row; the rest is left out. */
export function toBlobLog(row: JoinedBlobRow): Static<typeof BlobLog> {
  const { id, commitment, size, share_version, height, time, content_type, signer, rollup } = row
  return {
    id,
    commitment,
    size,
    share_version,
    height,
    time,
    content_type,
    namespace: row.ns_id === undefined ? undefined : toNamespace(row as NamespaceRow),
    tx: row.tx_fee === undefined ? undefined : toTx(row as TxRow),
    rollup: rollup ? { id: rollup[0], name: rollup[1], logo: rollup[2] || undefined, slug: rollup[3] } : undefined,
    signer: signer && toShortAddress(signer),
  }
}

/** `celestials` is always there, and once more inside `signer` when there is a name (docs/rules.md R24). */
export function toLightBlobLog(row: LightBlobRow): Static<typeof LightBlobLog> {
  const { id, commitment, size, share_version, height, time, content_type, tx_hash, signer } = row
  return {
    id,
    commitment,
    size,
    share_version,
    height,
    time,
    content_type,
    namespace: toNamespaceHash(row.ns_version, row.ns_namespace_id),
    tx_hash,
    signer: toShortAddress(signer),
    celestials: toCelestials(signer) ?? {},
  }
}
