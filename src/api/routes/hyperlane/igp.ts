import { type Static, Type } from 'typebox'
import { toHex } from '../../../lib/encoding/bytes.ts'
import { findIgp, type IgpRow, listIgps } from '../../../store/read/hyperlane/igp.ts'
import { type DomainEntry, findDomains, readDomains } from '../../../store/read/offchain-documents.ts'
import type { RouteGroup } from '../../route.ts'
import { HyperlaneIgp } from '../../schema/bridge/hyperlane.ts'
import { DomainMetadata } from '../../schema/chain-metadata.ts'
import { HexId, Paging, SortAsc } from '../../schema/query.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddressOr } from '../../view/account.ts'
import { toChainMetadata } from '../../view/chain-metadata.ts'

const toIgp = ({ number, owner, configs, ...row }: IgpRow, domains: Map<number, DomainEntry>): Static<typeof HyperlaneIgp> => ({
  ...row,
  id: number,
  owner: toShortAddressOr(owner, undefined),
  configs:
    configs.length === 0
      ? undefined
      : configs.map(({ remote_domain, ...config }) => ({
          ...config,
          counterparty: { remote_domain, chain_metadata: toChainMetadata(remote_domain, domains) },
        })),
})

const remotesOf = (rows: IgpRow[]): number[] => [
  ...new Set(rows.flatMap((row) => row.configs.map((config) => config.remote_domain))),
]

/** Interchain gas paymasters, and the chains that domains stand for. */
export const igpRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/hyperlane/igp',
    {
      schema: {
        operationId: 'list-hyperlane-igps',
        summary: 'Interchain gas paymasters, oldest first',
        tags: ['hyperlane'],
        querystring: Type.Object({ ...Paging, sort: SortAsc }),
        response: { 200: Type.Array(HyperlaneIgp) },
      },
      cursorOf: (row) => row.id,
    },
    async ({ query }) => {
      const rows = await listIgps(db, query)
      const domains = await findDomains(db, remotesOf(rows))
      return rows.map((row) => toIgp(row, domains))
    },
  )

  app.get(
    '/hyperlane/igp/:id',
    {
      schema: {
        operationId: 'get-hyperlane-igp',
        summary: 'An interchain gas paymaster',
        tags: ['hyperlane'],
        params: Type.Object({ id: HexId }),
        response: { 200: HyperlaneIgp, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findIgp(db, toHex(params.id))
      return row && toIgp(row, await findDomains(db, remotesOf([row])))
    },
  )

  app.get(
    '/hyperlane/domains',
    {
      schema: {
        operationId: 'list-hyperlane-domains',
        summary: 'Chains by domain id; empty when no registry is loaded',
        notOnPage: 'transfers and chains show the names of domains',
        tags: ['hyperlane'],
        response: { 200: Type.Record(Type.String(), DomainMetadata) },
      },
      cache: 'none',
      needs: 'offchain',
    },
    async () => {
      const domains = await readDomains(db)
      return Object.fromEntries(
        Object.entries(domains).map(([domain, entry]) => [
          domain,
          { domain: Number(domain), ...entry, block_explorers: entry.block_explorers ?? [] },
        ]),
      )
    },
  )
}
