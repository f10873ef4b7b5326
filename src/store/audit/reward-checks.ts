import { utiaDecOf } from '../../derive/decimal.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { toMicroTime } from '../../lib/time.ts'
import type { Reader } from '../db.ts'
import { unpackEvents } from '../pack/event-pack.ts'
import { readSealed, unsealedBytes } from '../segments/sealed.ts'
import { bucketsOf, type Frame } from '../state/bucket.ts'
import { decFromText } from '../state/column.ts'
import type { Violation } from './check.ts'

const HEIGHTS_AT_ONCE = 500
const CHECK = 'reward_mark'

type Earned = { rewards: bigint; commissions: bigint }
type ValidatorRow = { id: number; operator: Buffer; first_height: number; rewards: string; commissions: string }

/** Rewards and commissions again, from the packed events of every block: lifetime totals, and the marks at which buckets begin. */
export async function* checkRewards(sql: Reader): AsyncGenerator<Violation> {
  const validators = await sql<ValidatorRow[]>`
    select v.id, v.operator, v.first_height, v.rewards, v.commissions + coalesce(w.amount, 0) as commissions
    from validator v
    left join commission_withdrawn w on w.validator_id = v.id
    where v.operator is not null
    order by v.id`
  const totals = new Map<number, Earned>(validators.map(({ id }) => [id, { rewards: 0n, commissions: 0n }]))
  const marks = new Map<string, Earned>()
  const idAt = (operator: string, height: number) =>
    validators.findLast((row) => row.first_height <= height && row.operator.toString('hex') === operator)?.id

  for await (const { height, time, events } of readBlocks(sql)) {
    for (const [operator, earned] of earnedIn(events)) {
      const id = idAt(operator, height)
      if (id === undefined) continue
      const total = totals.get(id)!
      for (const [frame, start] of bucketsOf(time).framed) {
        const key = markKey(id, frame, start)
        if (!marks.has(key)) marks.set(key, { ...total })
      }
      total.rewards += earned.rewards
      total.commissions += earned.commissions
    }
  }

  for (const { id, rewards, commissions } of validators)
    yield* compareEarned(
      `validator ${id}`,
      { rewards: decFromText(rewards), commissions: decFromText(commissions) },
      totals.get(id)!,
    )
  const stored = await sql<{ validator_id: number; frame: Frame; time: string; rewards: string; commissions: string }[]>`
    select validator_id, frame, time, rewards, commissions from reward_mark`
  for (const row of stored) {
    const key = markKey(row.validator_id, row.frame, toMicroTime(row.time))
    const expected = marks.get(key)
    marks.delete(key)
    if (expected)
      yield* compareEarned(
        `mark ${key}`,
        { rewards: decFromText(row.rewards), commissions: decFromText(row.commissions) },
        expected,
      )
    else yield violation(`mark ${key} stands where nothing was earned`)
  }
  for (const key of marks.keys()) yield violation(`mark ${key} is missing`)
}

const markKey = (id: number, frame: Frame, time: string) => `${id}/${frame}/${time}`
const violation = (detail: string): Violation => ({ invariant: 'I9', check: CHECK, detail })

function* compareEarned(what: string, stored: Earned, expected: Earned): Generator<Violation> {
  for (const name of ['rewards', 'commissions'] as const)
    if (stored[name] !== expected[name])
      yield violation(`${what}: ${name} ${stored[name]}, events say ${expected[name]} (x 10^-18)`)
}

async function* readBlocks(sql: Reader): AsyncGenerator<{ height: number; time: string; events: Buffer }> {
  for (let from = 0; ; ) {
    const rows = await sql<{ height: number; time: string; events: Buffer | null }[]>`
      select b.height, b.time, ${unsealedBytes(sql, 'block')} as events
      from block b
      where b.height >= ${from}
      order by b.height
      limit ${HEIGHTS_AT_ONCE}`
    for (const { events, ...row } of rows) yield { ...row, events: events ?? (await readSealed(sql, 'block', row.height, 0)) }
    if (rows.length < HEIGHTS_AT_ONCE) return
    from = rows.at(-1)!.height + 1
  }
}

/** By operator in hex. */
function earnedIn(packed: Buffer): Map<string, Earned> {
  const earned = new Map<string, Earned>()
  for (const { type, attributes } of unpackEvents(packed)) {
    if (type !== 'rewards' && type !== 'proposer_reward' && type !== 'commission') continue
    const of = new Map(attributes)
    const operator = decodeAccount(of.get('validator') ?? '')
    if (operator === undefined) continue
    const entry = earned.get(operator) ?? { rewards: 0n, commissions: 0n }
    earned.set(operator, entry)
    entry[type === 'commission' ? 'commissions' : 'rewards'] += utiaDecOf(of.get('amount') ?? '')
  }
  return earned
}
