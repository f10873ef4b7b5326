import { type Static, Type } from 'typebox'
import { toHex } from '../../../lib/encoding/bytes.ts'
import { findMailbox, listMailboxes, type MailboxRow } from '../../../store/read/hyperlane/mailbox.ts'
import type { RouteGroup } from '../../route.ts'
import { HyperlaneMailbox } from '../../schema/bridge/hyperlane.ts'
import { HexId, Limit, Offset } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddressOr } from '../../view/account.ts'

/** The last 8 of the 32 bytes of an id count the objects of a module. */
const innerId = (id: string): number => Number.parseInt(id.slice(48), 16)

const toMailbox = ({ number, owner, ...row }: MailboxRow): Static<typeof HyperlaneMailbox> => ({
  ...row,
  id: number,
  hyperlane_id: innerId(row.mailbox),
  tx_hash: row.tx_hash ?? undefined,
  default_ism: row.default_ism ?? undefined,
  default_hook: row.default_hook ?? undefined,
  required_hook: row.required_hook ?? undefined,
  domain: row.domain || undefined,
  owner: toShortAddressOr(owner, undefined),
})

export const mailboxRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/hyperlane/mailbox',
    {
      schema: {
        operationId: 'list-hyperlane-mailboxes',
        summary: 'Hyperlane mailboxes, newest first',
        tags: ['hyperlane'],
        querystring: Type.Object({ limit: Limit, offset: Offset }),
        response: { 200: Type.Array(HyperlaneMailbox) },
      },
    },
    async ({ query }) => (await listMailboxes(db, query)).map(toMailbox),
  )

  app.get(
    '/hyperlane/mailbox/:id',
    {
      schema: {
        operationId: 'get-hyperlane-mailbox',
        summary: 'A Hyperlane mailbox',
        tags: ['hyperlane'],
        params: Type.Object({ id: HexId }),
        response: { 200: HyperlaneMailbox, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findMailbox(db, toHex(params.id))
      return row && toMailbox(row)
    },
  )
}
