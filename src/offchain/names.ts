import { decodeAccount } from '../lib/encoding/bech32.ts'
import { Transient } from '../lib/errors.ts'
import type { NameChange, NameStatus } from '../store/offchain/names.ts'

const STATUSES: readonly string[] = ['NOT_VERIFIED', 'VERIFIED', 'PRIMARY'] satisfies NameStatus[]
const MAX_NAME = 256
const MAX_URL = 2048

export type NamePage = {
  /** id of the newest change of all */
  head: number
  changes: NameChange[]
  /** changes that cannot be used */
  skipped: number
  /** id of the last change of the page; that of the request when it is empty */
  last: number
}

/** A page of changes (docs/rules.md R57). A change that makes no sense is left out; a page that makes none is refused. */
export function parseNamePage(document: unknown, from: number): NamePage {
  const { head, changes } = (document ?? {}) as { head?: unknown; changes?: unknown }
  if (!isId(head) || !Array.isArray(changes)) throw refuse('no page of changes')
  const page: NamePage = { head, changes: [], skipped: 0, last: from }
  for (const item of changes) {
    const { change_id: changeId } = (item ?? {}) as { change_id?: unknown }
    if (!isId(changeId)) throw refuse('a change without an id')
    // Old news, or a file that is read as a whole each time.
    if (changeId <= from) continue
    page.last = Math.max(page.last, changeId)
    const change = parseChange(item, changeId)
    if (change) page.changes.push(change)
    else page.skipped++
  }
  if (page.last > head) throw refuse('a change newer than the newest')
  page.changes.sort((a, b) => a.changeId - b.changeId)
  return page
}

function parseChange(item: unknown, changeId: number): NameChange | undefined {
  const { celestial_id: name, address, image_url: image, status } = item as Record<string, unknown>
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME || name.includes('\0')) return undefined
  if (typeof address !== 'string' || typeof status !== 'string' || !STATUSES.includes(status)) return undefined
  const account = decodeAccount(address)
  if (account === undefined) return undefined
  const imageUrl = typeof image === 'string' && isImage(image) ? image : ''
  return { name, address: Buffer.from(account, 'hex'), imageUrl, changeId, status: status as NameStatus }
}

/** Pages show it: nothing that a browser would run. */
function isImage(text: string): boolean {
  return text.length <= MAX_URL && URL.canParse(text) && /^(https?|ipfs):$/.test(new URL(text).protocol)
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function refuse(reason: string): Transient {
  return new Transient('source_implausible', `the source of names gave ${reason}`)
}
