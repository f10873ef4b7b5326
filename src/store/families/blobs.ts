import type { PackedBlock } from '../pack/packed-block.ts'
import type { NamespaceRow } from '../state/account-tables.ts'
import type { State } from '../state/state.ts'
import type { BlockInput, Family } from './family.ts'

/** The namespace of a block's list as the table keys it: id without the version byte, and the version. */
export function namespaceKey(namespace: string): [namespaceId: string, version: number] {
  return [namespace.slice(2), Number.parseInt(namespace.slice(0, 2), 16)]
}

/** Version 255 and the first 256 ids of version 0 belong to the protocol. */
function isReserved(namespaceId: string, version: number): boolean {
  return version === 255 || (version === 0 && namespaceId.startsWith('0'.repeat(54)))
}

/** Gives ids to the namespaces of a block in order of first appearance. */
export function touchNamespaces(state: State, block: PackedBlock, time: string): number[] {
  return block.namespaces.map((namespace) => {
    const [namespaceId, version] = namespaceKey(namespace)
    const known = state.namespace.get(namespaceId, version)
    if (known) return known.id
    const head = state.head.edit('true')!
    head.total_namespaces++
    return state.namespace.insert({
      id: head.total_namespaces,
      version,
      namespace_id: namespaceId,
      first_height: block.height,
      last_height: block.height,
      last_message_time: time,
      size: 0,
      blobs_count: 0,
      pfb_count: 0,
      reserved: isReserved(namespaceId, version),
    }).id
  })
}

/** Blobs, and what namespaces hold. A PFB that puts several blobs into a namespace counts there once. */
export function createBlobsFamily(state: State): Family {
  return {
    apply({ block, rows, firstId, addressIds, namespaceIds, time }: BlockInput) {
      for (const blob of block.blobs) {
        rows.packedRow('blob', blob.row, { namespace_id: namespaceIds[blob.namespace]!, signer_id: addressIds[blob.signer]! })
        const row = editNamespace(state, block, blob.namespace)
        row.blobs_count++
      }
      const links = block.namespaceLinks
      for (let i = 0; i < links.length; i += 3) {
        const [namespace, message, size] = [links[i]!, links[i + 1]!, links[i + 2]!]
        rows.row('message_namespace', { namespace_id: namespaceIds[namespace]!, message_id: firstId + message, size })
        const row = editNamespace(state, block, namespace)
        row.size += size
        row.pfb_count++
        row.last_height = block.height
        row.last_message_time = time
      }
    },
  }
}

function editNamespace(state: State, block: PackedBlock, index: number): NamespaceRow {
  return state.namespace.edit(...namespaceKey(block.namespaces[index]!))!
}
