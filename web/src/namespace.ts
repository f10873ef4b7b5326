/** A namespace as links and labels need it. */
export type NamespaceParts = { version: number; id: string; name: string }

/** Reads version byte and id out of the base64 form. Undefined when it is not 29 bytes. */
export function readNamespace(hash: string): NamespaceParts | undefined {
  let bytes: string
  try {
    bytes = atob(hash)
  } catch {
    return undefined
  }
  if (bytes.length !== 29) return undefined
  const id = [...bytes.slice(1)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return { version: bytes.charCodeAt(0), id, name: nameOf(id) }
}

/** The id without leading zero bytes, as text where it is readable. */
export function nameOf(id: string): string {
  const rest = id.replace(/^(00)+/, '')
  const bytes = rest.match(/../g) ?? []
  const codes = bytes.map((byte) => Number.parseInt(byte, 16))
  return codes.length > 0 && codes.every((code) => code >= 0x20 && code <= 0x7e) ? String.fromCharCode(...codes) : rest
}

const HUES = 12
const STEP = 360 / HUES

/** The same namespace has the same colour everywhere, unless another one in the square has it; after twelve the hues between come. */
export function hueOf(hash: string, taken: Set<number> = new Set()): number {
  let value = 2166136261
  for (const letter of hash) value = Math.imul(value ^ letter.charCodeAt(0), 16777619) >>> 0
  const ring = taken.size < HUES ? 0 : STEP / 2
  let slot = value % HUES
  for (let tries = 0; taken.has(slot * STEP + ring) && tries < HUES; tries++) slot = (slot + 5) % HUES
  const hue = slot * STEP + ring
  taken.add(hue)
  return hue
}
