import type { FastifyRequest } from 'fastify'
import { toErrorAnswer } from '../api/http/error-answer.ts'
import { BadRequest } from '../api/http/errors.ts'
import { toRollup } from '../api/view/rollup.ts'
import { listUnverified } from '../store/read/rollup/list.ts'
import { readBulk, readId, readNewRollup, readRollupFields } from './rollup-input.ts'
import { RollupManager } from './rollups.ts'
import type { AddRoute, OperatorRequest } from './route.ts'

/** Logs a change of the registry with its author. */
export type NoteRollup = (action: string, context: OperatorRequest, rollup: number) => Promise<void>

/** Tells whether there is such a rollup. */
type Change = (manager: RollupManager, id: number) => Promise<boolean>

const SUCCESS = { message: 'success' }

/** The rollup registry (docs/rules.md R54). */
export function addRollupRoutes(route: AddRoute, note: NoteRollup): void {
  route('POST', '/rollup/new', false, async (context) => {
    const { request, key, network } = context
    const id = await new RollupManager(network).create(readNewRollup(request.body), key.role === 'admin')
    await note('create', context, id)
    return { id }
  })

  /** Undefined: there is no such rollup. */
  const change = async (action: string, context: OperatorRequest, apply: Change) => {
    const id = pathId(context.request)
    if (!(await apply(new RollupManager(context.network), id))) return undefined
    await note(action, context, id)
    return SUCCESS
  }
  const changeKnown = async (action: string, context: OperatorRequest, apply: Change) => {
    const done = await change(action, context, apply)
    if (!done) throw unknownRollup(pathId(context.request))
    return done
  }

  route('PATCH', '/rollup/:id', false, (context) => {
    const { request, key } = context
    return change('update', context, (manager, id) => manager.update(id, readRollupFields(request.body), key.role === 'admin'))
  })
  route('DELETE', '/rollup/:id', true, (context) => changeKnown('delete', context, (manager, id) => manager.remove(id)))
  route('PATCH', '/rollup/:id/verify', true, (context) => changeKnown('verify', context, (manager, id) => manager.verify(id)))

  route('GET', '/rollup/unverified', true, async ({ network }) => (await listUnverified(network.db)).map(toRollup))

  route('POST', '/bulk', false, async (context) => {
    const { request, key, network } = context
    const manager = new RollupManager(network)
    const results: ({ id: number } | { error: string })[] = []
    // One after the other, each in its own transaction: an item that fails leaves the others alone.
    for (const item of readBulk(request.body))
      results.push(await applyItem(item, key.role === 'admin', manager).catch((error: unknown) => ({ error: describe(error) })))
    for (const result of results) if ('id' in result) await note('bulk', context, result.id)
    return results
  })
}

async function applyItem(item: Record<string, unknown>, isAdmin: boolean, manager: RollupManager): Promise<{ id: number }> {
  const id = readId(item.id)
  if (id === 0) return { id: await manager.create(readNewRollup(item), isAdmin) }
  if (!(await manager.update(id, readRollupFields(item), isAdmin))) throw unknownRollup(id)
  return { id }
}

/** Our own failures do not tell what they are. */
function describe(error: unknown): string {
  return toErrorAnswer(error).body.message
}

function pathId(request: FastifyRequest): number {
  const { id } = request.params as { id: string }
  if (!/^[1-9]\d{0,9}$/.test(id) || Number(id) > 2 ** 31 - 1) throw new BadRequest('id must be an integer of 1 or more', 'id')
  return Number(id)
}

function unknownRollup(id: number): BadRequest {
  return new BadRequest(`there is no rollup ${id}`, 'id', 'unknown_rollup')
}
