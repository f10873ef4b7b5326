import { type Static, Type } from 'typebox'
import { toHex } from '../../../lib/encoding/bytes.ts'
import { findAddressId } from '../../../store/read/address/account.ts'
import { findMailbox } from '../../../store/read/hyperlane/mailbox.ts'
import { findHlToken, type HlTokenRow, listHlTokens } from '../../../store/read/hyperlane/token.ts'
import { BadRequest } from '../../http/errors.ts'
import { unknownAddress } from '../../http/unknown.ts'
import type { RouteGroup } from '../../route.ts'
import { HyperlaneToken } from '../../schema/bridge/hyperlane.ts'
import { HLTokenType } from '../../schema/enums.ts'
import { Address, CommaList, HexId, Paging, SortDesc } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddressOr } from '../../view/account.ts'

const TokenList = Type.Object({
  ...Paging,
  sort: SortDesc,
  owner: Type.Optional(Address),
  mailbox: Type.Optional(HexId),
  type: Type.Optional(CommaList(HLTokenType)),
})

const toToken = ({ number, owner, ...row }: HlTokenRow): Static<typeof HyperlaneToken> => ({
  ...row,
  id: number,
  tx_hash: row.tx_hash ?? undefined,
  owner: toShortAddressOr(owner, undefined),
})

export const hyperlaneTokenRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/hyperlane/token',
    {
      schema: {
        operationId: 'list-hyperlane-tokens',
        summary: 'Tokens that Hyperlane moves, newest first',
        tags: ['hyperlane'],
        querystring: TokenList,
        response: { 200: Type.Array(HyperlaneToken) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query: { owner, mailbox, ...query } }) => {
      const owner_id = owner && (await findAddressId(db, owner))
      if (owner && owner_id === undefined) throw unknownAddress(owner, 'owner')
      if (mailbox && !(await findMailbox(db, toHex(mailbox))))
        throw new BadRequest(`${toHex(mailbox)}: unknown mailbox`, 'mailbox', 'unknown_mailbox')
      return (await listHlTokens(db, { ...query, owner_id, mailbox: mailbox && toHex(mailbox) })).map(toToken)
    },
  )

  app.get(
    '/hyperlane/token/:id',
    {
      schema: {
        operationId: 'get-hyperlane-token',
        summary: 'A token that Hyperlane moves',
        tags: ['hyperlane'],
        params: Type.Object({ id: HexId }),
        response: { 200: HyperlaneToken, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findHlToken(db, toHex(params.id))
      return row && toToken(row)
    },
  )
}
