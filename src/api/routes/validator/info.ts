import { Type } from 'typebox'
import { countValidators, findValidator, listDelegators, listJails, listValidators } from '../../../store/read/validator.ts'
import type { RouteGroup } from '../../route.ts'
import { Count, EntityId, Flag, Limit, Offset } from '../../schema/query.ts'
import { Delegation } from '../../schema/staking.ts'
import { Jail, Validator, ValidatorCount } from '../../schema/validator.ts'
import { NoContent } from '../../schema/values.ts'
import { toShortAddress } from '../../view/account.ts'
import { toValidator } from '../../view/validator.ts'

const Id = Type.Object({ id: EntityId })
const Page = { limit: Limit, offset: Offset }

const ValidatorList = Type.Object({
  ...Page,
  jailed: Type.Optional(Type.Boolean()),
  version: Type.Optional(Count),
})

export const validatorRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/validators',
    {
      schema: {
        operationId: 'list-validators',
        summary: 'Validators by stake, jailed ones last',
        tags: ['validator'],
        querystring: ValidatorList,
        response: { 200: Type.Array(Validator) },
      },
    },
    async ({ query }) => (await listValidators(db, query)).map(toValidator),
  )

  app.get(
    '/validators/count',
    {
      schema: {
        operationId: 'count-validators',
        summary: 'How many validators there are, by state',
        tags: ['validator'],
        response: { 200: ValidatorCount, 204: NoContent },
      },
    },
    async () => {
      const count = await countValidators(db)
      return count && { ...count, inactive: count.total - count.jailed - count.active }
    },
  )

  app.get(
    '/validators/:id',
    {
      schema: {
        operationId: 'get-validator',
        summary: 'A validator',
        tags: ['validator'],
        params: Id,
        response: { 200: Validator, 204: NoContent },
      },
    },
    async ({ params }) => {
      const row = await findValidator(db, params.id)
      return row && toValidator(row)
    },
  )

  app.get(
    '/validators/:id/delegators',
    {
      schema: {
        operationId: 'list-validator-delegators',
        summary: 'Who delegates to a validator, largest first',
        tags: ['validator'],
        params: Id,
        querystring: Type.Object({ ...Page, show_zero: Flag(false, 'also delegations of which nothing is left') }),
        response: { 200: Type.Array(Delegation) },
      },
    },
    async ({ params, query }) =>
      (await listDelegators(db, { ...query, id: params.id })).map(({ amount, delegator }) => ({
        amount,
        delegator: toShortAddress(delegator),
      })),
  )

  app.get(
    '/validators/:id/jails',
    {
      schema: {
        operationId: 'list-validator-jails',
        summary: 'When and why a validator was jailed, newest first',
        tags: ['validator'],
        params: Id,
        querystring: Type.Object(Page),
        response: { 200: Type.Array(Jail) },
      },
    },
    ({ params, query }) => listJails(db, { ...query, id: params.id }),
  )
}
