import type { Dataset } from './dataset.ts'

/** Names of the numbers in other datasets: each row in the height that first named it. */

export const accounts: Dataset = {
  name: 'accounts',
  about: 'accounts by their number, in the height that first names them',
  needsState: false,
  columns: {
    height: ['int64', 'height that first named the account (blocks.height)'],
    id: ['int64', 'number of the account, in order of first appearance'],
    address: ['address', 'address: celestia1…'],
  },
  select: (sql, { from, to }) => sql`
    select a.first_height as height, a.id, a.address
    from address a
    where a.first_height between ${from} and ${to}
    order by a.id`,
}

export const namespaces: Dataset = {
  name: 'namespaces',
  about: 'namespaces by their number, in the height that first uses them',
  needsState: false,
  columns: {
    height: ['int64', 'height that first used the namespace (blocks.height)'],
    id: ['int64', 'number of the namespace, in order of first appearance'],
    version: ['int64', 'version of the namespace'],
    namespace_id: ['hex', 'id of the namespace without its version: 28 bytes'],
    namespace: ['base64', 'namespace with its version: 29 bytes'],
  },
  select: (sql, { from, to }) => sql`
    select n.first_height as height, n.id, n.version, n.namespace_id,
           set_byte('\\x00'::bytea, 0, n.version) || n.namespace_id as namespace
    from namespace n
    where n.first_height between ${from} and ${to}
    order by n.id`,
}
