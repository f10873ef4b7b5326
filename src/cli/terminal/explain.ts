/** Sentences for failures that no part of ours could foresee where they come up: they can meet any statement or file. */
const SENTENCES: Record<string, (message: string) => string> = {
  ENOSPC: (message) => `a disk is full: make room, or choose another folder with --data (${message})`,
  '53100': (message) => `the disk of the database is full: make room, or choose another folder with --data (${message})`,
  '42501': (message) => `the role of DATABASE_URL may not do this: ${message} (docs/production.md has the rights it needs)`,
}

/** The first of these codes that an error or one of its causes carries. */
export function findCode(error: unknown, codes: readonly string[]): { code: string; message: string } | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    if (codes.includes(code)) return { code, message: at.message }
  }
  return undefined
}

/** Undefined for what is a fault of the program: that is logged whole. */
export function explainFailure(error: unknown): string | undefined {
  const found = findCode(error, Object.keys(SENTENCES))
  return found && SENTENCES[found.code]!(found.message)
}
