import { execFile } from 'node:child_process'
import { packagePath } from '../../src/lib/package-path.ts'

/** Runs the program to its end, with what it printed. */
export const runCommand = (words: readonly string[], env = process.env): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const command = [packagePath('build/program/main.js'), ...words]
    execFile(process.execPath, command, { env }, (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }))
  })
