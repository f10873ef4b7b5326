import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { threadId } from 'node:worker_threads'
import { Transient } from '../errors.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

/** Ending of a file that is being written; never an object. */
const UNFINISHED = '.unfinished'

let written = 0

/** Objects as files of a folder, which is created with the first one. */
export function openFolder(folder: string): ObjectStore {
  const pathOf = (key: string) => join(folder, key)
  const swept = new Set<string>()
  return {
    name: folder,
    put: async (key, bytes) => {
      const parent = dirname(pathOf(key))
      await mkdir(parent, { recursive: true })
      if (!swept.has(parent)) await removeAbandoned(parent)
      swept.add(parent)
      await putFile(pathOf(key), bytes)
    },
    getRange: (key, offset, length) => orAbsent(pathOf(key), readPart(pathOf(key), offset, length)),
    list: (prefix) => listFolder(folder, '', prefix),
    delete: (key) => rm(pathOf(key), { force: true }),
  }
}

/** The file is synced before it gets its name, and the folder after, so that a power cut leaves all of it or nothing. */
async function putFile(path: string, bytes: Uint8Array): Promise<void> {
  const parent = dirname(path)
  // Several processes and threads may write the same object.
  const unfinished = `${path}.${process.pid}-${threadId}-${written++}${UNFINISHED}`
  try {
    const file = await open(unfinished, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  const folder = await open(parent, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Removes the temporary files of killed writers. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = name.endsWith(UNFINISHED) ? /\.(\d+)-\d+-\d+\.unfinished$/.exec(name)?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's process is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new Error('EISDIR: it is not a file')
    const left = Math.max(found.size - offset, 0)
    const size = Math.min(length, left)
    const { bytesRead, buffer } = await file.read(new Uint8Array(size), 0, size, offset)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* listFolder(root: string, at: string, prefix: string): AsyncIterable<StoredObject> {
  const entries = (await orAbsent(join(root, at), readdir(join(root, at), { withFileTypes: true }))) ?? []
  // A folder sorts as its keys do: with the slash.
  const named = entries.map((entry) => ({ entry, key: posix.join(at, entry.name) + (entry.isDirectory() ? '/' : '') }))
  for (const { entry, key } of named.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    if (entry.isDirectory() && (key.startsWith(prefix) || prefix.startsWith(key))) yield* listFolder(root, key, prefix)
    if (!entry.isFile() || !key.startsWith(prefix) || key.endsWith(UNFINISHED)) continue
    const found = await orAbsent(join(root, key), stat(join(root, key)))
    if (found) yield { key, size: found.size }
  }
}

/** Objects that exist but cannot be read (a folder in place of a file, rights, the disk) are told apart from missing ones. */
async function orAbsent<T>(path: string, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Transient('file_unreadable', `${path} cannot be read: ${message}`, {}, error)
  }
}
