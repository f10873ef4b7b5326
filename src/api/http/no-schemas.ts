import type { FastifyServerOptions } from 'fastify'
import { Invariant } from '../../lib/errors.ts'

const refuse = (): never => {
  throw new Invariant('fastify_schema', 'routes have no schemas of Fastify: what they take and give is described in route.ts')
}

/** We read requests and write answers ourselves. Without this option Fastify loads its validator and serializer at every start. */
export const NO_SCHEMAS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
}
