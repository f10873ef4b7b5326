import type { Dataset } from './dataset.ts'

/** Names of the numbers in other datasets: each row in the height that first named it. */

export const accounts: Dataset = {
  name: 'accounts',
  about: 'accounts by their number, in the height that first names them',
  needsState: false,
  columns: { height: 'int32', id: 'int32', address: 'address' },
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
  columns: { height: 'int32', id: 'int32', version: 'int32', namespace_id: 'hex', namespace: 'base64' },
  select: (sql, { from, to }) => sql`
    select n.first_height as height, n.id, n.version, n.namespace_id,
           set_byte('\\x00'::bytea, 0, n.version) || n.namespace_id as namespace
    from namespace n
    where n.first_height between ${from} and ${to}
    order by n.id`,
}
