import { Type } from 'typebox'
import { listConstants, listDenomMetadata, listTags } from '../../store/read/general.ts'
import { type ApiContext, type RouteGroup, WithHeaders } from '../route.ts'
import { ENUMS } from '../schema/enums.ts'
import { Constants, Datasets, Enums, State } from '../schema/general.ts'
import { NoContent } from '../schema/values.ts'
import { toDatasets } from '../view/dataset.ts'
import { toConstants, toState } from '../view/state.ts'

export const generalRoutes: RouteGroup = (app, ctx: ApiContext) => {
  const { db } = ctx

  app.get(
    '/head',
    {
      schema: {
        operationId: 'get-head',
        summary: 'State of the index: its last block and the totals up to it',
        tags: ['general'],
        response: { 200: State, 204: NoContent },
      },
      needsState: false,
      // `synced` follows the wall clock. The rest is in memory, so keeping it would save nothing.
      cache: 'none',
    },
    () => {
      const head = ctx.head()
      if (!head) return undefined
      const state = toState(head, ctx.network, ctx.now())
      const { sourceHeight: source, checked } = ctx.watch
      const { verified, proven } = checked
      return new WithHeaders(state, {
        ...(verified !== undefined && { 'x-verified-height': String(Math.min(verified, head.last_height)) }),
        ...(proven !== undefined && { 'x-proven-height': String(proven) }),
        ...(source !== undefined && {
          'x-node-height': String(source),
          'x-lag-blocks': String(Math.max(source - head.last_height, 0)),
        }),
      })
    },
  )

  app.get(
    '/constants',
    {
      schema: {
        operationId: 'get-constants',
        summary: 'Parameters of the chain and its denominations',
        tags: ['general'],
        response: { 200: Constants, 204: NoContent },
      },
    },
    async () => {
      if (!ctx.head()) return undefined
      const [constants, denominations] = await Promise.all([listConstants(db), listDenomMetadata(db)])
      return toConstants(constants, denominations)
    },
  )

  app.get(
    '/enums',
    {
      schema: {
        operationId: 'get-enums',
        summary: 'Words that filters take and answers use',
        notOnPage: 'the filters of the lists name their words',
        tags: ['general'],
        querystring: Type.Object({}),
        response: { 200: Enums },
      },
      needsState: false,
    },
    async () => ({ ...ENUMS, tags: await listTags(db) }),
  )

  app.get(
    '/datasets',
    {
      schema: {
        operationId: 'list-datasets',
        summary: 'Datasets of the export: tables for analysts, with their columns and formats',
        description:
          'The tables that `astrolabe export` writes as files, each with a description of every column. A file holds final heights only.',
        tags: ['general'],
        querystring: Type.Object({}),
        response: { 200: Datasets },
      },
      needsState: false,
    },
    () => toDatasets(ctx.head()?.has_state ?? true),
  )
}
