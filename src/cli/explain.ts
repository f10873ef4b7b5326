/** Sentences for failures that no part of ours could foresee where they come up: they can meet any statement or file. */
const SENTENCES: Record<string, (message: string) => string> = {
  ENOSPC: (message) => `a disk is full: make room, or choose another folder with --data (${message})`,
  '53100': (message) => `the disk of the database is full: make room, or choose another folder with --data (${message})`,
  '42501': (message) => `the role of DATABASE_URL may not do this: ${message} (docs/production.md has the rights it needs)`,
}

/** Undefined for what is a fault of the program: that is logged whole. */
export function explainFailure(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    if (Object.hasOwn(SENTENCES, code)) return SENTENCES[code]!(at.message)
  }
  return undefined
}
