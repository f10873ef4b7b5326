import type { FastifyRequest } from 'fastify'
import type { Actor } from '../store/access/change-log.ts'
import type { ActiveKey } from '../store/access/key-ring.ts'
import type { StatusNetwork } from './status.ts'

export type OperatorNetwork = StatusNetwork & {
  /** the database that is written to */
  url: string
}

/** A request whose key was checked. */
export type OperatorRequest = { request: FastifyRequest; key: ActiveKey; network: OperatorNetwork }

/** Registers a route below `/v1/auth`. Undefined answers are 204. */
export type AddRoute = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  needsAdmin: boolean,
  work: (request: OperatorRequest) => Promise<unknown>,
) => void

/** Author of changes that are made with a key. */
export const actorOf = ({ role, id }: ActiveKey): Actor => ({ kind: role, name: id })
