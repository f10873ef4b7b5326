import { site } from './networks.ts'

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

/** Far apart on the wheel, so that those who see few hues can still tell neighbours. */
const HUES = 24
const LIGHTNESSES = 3

/** Stable number of a text. */
function digest(text: string): number {
  let value = 2166136261
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16777619) >>> 0
  // The low bits of names that differ in one letter differ little.
  return (value ^ (value >>> 15)) >>> 0
}

/** Colour of a rollup, equal in every chart and list. */
export const rollupColour = (name: string): string => site?.colours?.rollups[name] ?? `oklch(0.62 0.13 ${hueOf(name)})`

const hueOf = (text: string): number => (digest(text) % HUES) * (360 / HUES)

/** Colour of a namespace, equal in every square and chart: that of its rollup where one is registered. */
export function colourOf(hash: string): string {
  const registered = site?.colours?.namespaces[hash]
  if (registered) return registered
  const step = (Math.floor(digest(hash) / HUES) % LIGHTNESSES) - 1
  return `oklch(calc(var(--square-lightness) + ${step * 0.09}) var(--square-chroma) ${hueOf(hash)})`
}

/** Colours go by the base64 form of a namespace. */
export function base64Of(version: number, id: string): string {
  const bytes = [version, ...(id.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))]
  return btoa(String.fromCharCode(...bytes))
}
