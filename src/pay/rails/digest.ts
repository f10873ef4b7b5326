import { createHash } from 'node:crypto'

export function sha256(...parts: (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
