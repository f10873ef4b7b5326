import { after } from 'node:test'

const open: (() => Promise<unknown>)[] = []

/** To be ended after the tests of a file, the last one first. */
export function closeAfterwards(close: () => Promise<unknown>): void {
  open.push(close)
}

/** For files that share a process: this module is loaded once, and its own hook belongs to the first of them. */
export async function closeAll(): Promise<void> {
  for (let close = open.pop(); close !== undefined; close = open.pop()) await close()
}

after(closeAll)
