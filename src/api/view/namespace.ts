import type { Static } from 'typebox'
import type { NamespaceRow } from '../../store/read/namespace.ts'
import type { Namespace } from '../schema/namespace.ts'

export function toNamespace(row: NamespaceRow): Static<typeof Namespace> {
  return {
    id: row.ns_id,
    size: row.ns_size,
    blobs_count: row.ns_blobs_count,
    version: row.ns_version,
    namespace_id: row.ns_namespace_id,
    hash: toNamespaceHash(row.ns_version, row.ns_namespace_id),
    pfb_count: row.ns_pfb_count,
    last_height: row.ns_last_height,
    last_message_time: row.ns_last_message_time,
    name: toNamespaceName(row.ns_namespace_id),
    reserved: row.ns_reserved,
  }
}

/** Base64 of version byte and id. */
export function toNamespaceHash(version: number, idHex: string): string {
  return Buffer.from(version.toString(16).padStart(2, '0') + idHex, 'hex').toString('base64')
}

/** The id without leading zero bytes: as text when every byte is printable, else as hex (docs/rules.md R28). */
export function toNamespaceName(idHex: string): string {
  const bytes = Buffer.from(idHex, 'hex')
  const start = bytes.findIndex((byte) => byte !== 0)
  if (start < 0) return ''
  const rest = bytes.subarray(start)
  return rest.every((byte) => byte >= 0x20 && byte <= 0x7f) ? rest.toString('latin1') : rest.toString('hex')
}
