import { after } from 'node:test'

const open: (() => Promise<unknown>)[] = []

/** To be ended after the tests of a file, the last one first. The result forgets what was closed earlier, so that its memory is free. */
export function closeAfterwards(close: () => Promise<unknown>): () => void {
  open.push(close)
  return () => {
    const at = open.indexOf(close)
    if (at >= 0) open.splice(at, 1)
  }
}

/** For files that share a process: this module is loaded once, and its own hook belongs to the first of them. */
export async function closeAll(): Promise<void> {
  for (let close = open.pop(); close !== undefined; close = open.pop()) await close()
}

after(closeAll)
