import { Transient } from '../../lib/errors.ts'

export type RpcCall = { method: string; params: Record<string, string> }

/** Error that a node answers instead of a result. */
export type RpcError = { code: number; message: string; data: string }

export type RpcAnswer = { result: Uint8Array } | { error: RpcError }

/** Ids are the positions of the calls. */
export function writeRequest(calls: readonly RpcCall[]): string {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, method: call.method, params: call.params }))
  return JSON.stringify(requests.length === 1 ? requests[0] : requests)
}

/**
 * The answers to `count` calls in order, results as views on `body`. An answer has the fixed form
 * `{"jsonrpc":"2.0","id":N,"result":…}`, so results are cut out without parsing, which would block the event loop for most of a
 * second on a full block; a body in any other form (older nodes indent) is parsed. Throws a Transient when the body is not an
 * answer to the calls, `RpcError` for a batch refused as a whole.
 */
export function readAnswers(body: Buffer, count: number): RpcAnswer[] | RpcError {
  const members = cutMembers(body) ?? parseMembers(body)
  const [first] = members
  // A batch that is too long gets one error for all; the error of a single call may come with any id.
  if (members.length === 1 && first && 'error' in first.answer) return count === 1 ? [first.answer] : first.answer.error
  const answers = new Array<RpcAnswer | undefined>(count).fill(undefined)
  for (const { id, answer } of members) if (id >= 0 && id < count) answers[id] = answer
  if (members.length !== count || answers.includes(undefined)) {
    throw new Transient('bad_envelope', `${members.length} answers do not belong to the ${count} calls`, { count })
  }
  return answers as RpcAnswer[]
}

type Member = { id: number; answer: RpcAnswer }

const START = Buffer.from('{"jsonrpc":"2.0","id":')
const NEXT = Buffer.from(',{"jsonrpc":"2.0","id":')
const RESULT = Buffer.from(',"result":')
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d

/** Undefined when the body is not in the fixed form. */
function cutMembers(body: Buffer): Member[] | undefined {
  let end = body.length
  while (end > 0 && body[end - 1]! <= 0x20) end--
  if (end === 0) return undefined
  const isList = body[0] === OPEN_LIST
  if (isList && body[end - 1] !== CLOSE_LIST) return undefined
  const members: Member[] = []
  let at = isList ? 1 : 0
  const listEnd = isList ? end - 1 : end
  while (at < listEnd) {
    // The text between members cannot stand inside a JSON string, where its quotes would be escaped.
    const found = isList ? body.indexOf(NEXT, at) : -1
    const memberEnd = found < 0 ? listEnd : found
    const member = cutMember(body, at, memberEnd)
    if (!member) return undefined
    members.push(member)
    at = found < 0 ? listEnd : found + 1
  }
  return members
}

function cutMember(body: Buffer, from: number, to: number): Member | undefined {
  const idAt = from + START.length
  if (to - from < START.length + RESULT.length + 3 || body.compare(START, 0, START.length, from, idAt) !== 0) return undefined
  let at = idAt
  let id = 0
  for (; at < idAt + 9 && body[at]! >= 0x30 && body[at]! <= 0x39; at++) id = id * 10 + body[at]! - 0x30
  if (at === idAt || body[to - 1] !== CLOSE_OBJECT) return undefined
  if (body.compare(RESULT, 0, RESULT.length, at, at + RESULT.length) !== 0) return parseMember(body.subarray(from, to))
  const resultAt = at + RESULT.length
  return { id, answer: { result: new Uint8Array(body.buffer, body.byteOffset + resultAt, to - 1 - resultAt) } }
}

/** One error among the results of a batch. */
function parseMember(text: Buffer): Member | undefined {
  try {
    return toMember(JSON.parse(text.toString('utf8')))
  } catch {
    // The whole body is parsed next, and that reports what is wrong.
    return undefined
  }
}

function parseMembers(body: Buffer): Member[] {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (cause) {
    const start = body.toString('latin1', 0, 60)
    throw new Transient('not_json', 'the node answered with something that is not JSON', { bytes: body.length, start }, cause)
  }
  return (Array.isArray(value) ? value : [value]).map(toMember)
}

function toMember(value: unknown): Member {
  const { id, result, error } = (value ?? {}) as { id?: unknown; result?: unknown; error?: Partial<RpcError> }
  const position = Number.isSafeInteger(id) ? (id as number) : -1
  if (typeof error === 'object' && error !== null) {
    const { code, message, data } = error
    return { id: position, answer: { error: { code: Number(code), message: String(message ?? ''), data: String(data ?? '') } } }
  }
  if (typeof result !== 'object' || result === null) throw new Transient('bad_envelope', 'an answer has neither result nor error')
  return { id: position, answer: { result: new TextEncoder().encode(JSON.stringify(result)) } }
}
