import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/schema.ts'
import { type Database, openDatabase } from './database.ts'

/**
 * The database for a short command. The bundled server that a running `start` uses is left running; one that had to be started for
 * the command ends with it.
 */
export async function borrowDatabase(config: Config): Promise<Database> {
  const wasRunning = !config.database.url && (await isRunning(resolve(config.data)))
  const database = await openDatabase(config)
  return wasRunning ? { ...database, stop: async () => {} } : database
}

async function isRunning(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n', 1)[0])
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The server of another user is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
