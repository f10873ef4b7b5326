import type { SqlPool } from '../db.ts'
import { noteSuccess } from './state.ts'

export type NameStatus = 'NOT_VERIFIED' | 'VERIFIED' | 'PRIMARY'

export type NameChange = { name: string; address: Buffer; imageUrl: string; changeId: number; status: NameStatus }

/** Applies changes in order and moves the position with them. An address has one primary name: a new one demotes the old one. */
export async function saveNames(sql: SqlPool, network: string, changes: readonly NameChange[], position: number): Promise<void> {
  await sql.begin(async (tx) => {
    for (const { name, address, imageUrl, changeId, status } of changes) {
      if (status === 'PRIMARY')
        await tx`
          update celestial set status = 'VERIFIED'
          where address = ${address} and status = 'PRIMARY' and id <> ${name} and change_id < ${changeId}`
      await tx`
        insert into celestial as c (id, address, image_url, change_id, status)
        values (${name}, ${address}, ${imageUrl}, ${changeId}, ${status})
        on conflict (id) do update
        set address = excluded.address, image_url = excluded.image_url, change_id = excluded.change_id, status = excluded.status
        where c.change_id < excluded.change_id`
    }
    await noteSuccess(tx, network, 'names', { position, changed: changes.length > 0 })
  })
}
