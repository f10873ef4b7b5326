import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import type { SqlPool } from '../db.ts'

const FILE = 'key-pepper'
const MIN_LENGTH = 32

/** The secret under which keys are stored: the configured one, or one that is made once in the data folder. */
export async function loadPepper(configured: string | undefined, dataFolder: string): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataFolder, FILE)
  await mkdir(dataFolder, { recursive: true })
  try {
    // Fails when it is there already: two processes that start at once end up with the same one.
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new OperatorError('no_pepper', `cannot write ${path}: set KEY_PEPPER or make the data folder writable`, {}, error)
  }
  return readPepper(path)
}

async function readPepper(path: string): Promise<string> {
  // Another process may have made the file and not filled it yet.
  for (let attempt = 0; attempt < 50; attempt++) {
    const text = (await readFile(path, 'utf8')).trim()
    if (text.length >= MIN_LENGTH) return text
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new OperatorError(
    'no_pepper',
    `${path} holds no secret of at least ${MIN_LENGTH} characters: remove it or set KEY_PEPPER`,
  )
}

/** Hash of a key, as it is stored and looked up. */
export function digestKey(pepper: string, text: string): Buffer {
  return createHmac('sha256', pepper).update(text).digest()
}

const fingerprintOf = (pepper: string): Buffer => digestKey(pepper, 'fingerprint of the pepper')

/** Refuses a pepper under which none of the stored keys would be found. */
export async function checkPepper(sql: SqlPool, pepper: string): Promise<void> {
  const fingerprint = fingerprintOf(pepper)
  await sql`insert into access_secret (name, fingerprint) values ('pepper', ${fingerprint}) on conflict (name) do nothing`
  await comparePepper(sql, pepper)
}

/** Check on a server that takes no writes. */
export async function comparePepper(sql: SqlPool, pepper: string): Promise<void> {
  const fingerprint = fingerprintOf(pepper)
  const [row] = await sql<{ fingerprint: Buffer }[]>`select fingerprint from access_secret where name = 'pepper'`
  if (!row || !timingSafeEqual(row.fingerprint, fingerprint))
    throw new OperatorError(
      'wrong_pepper',
      'the keys of this database were stored under another pepper: give all servers the same KEY_PEPPER (or data folder)',
    )
}
