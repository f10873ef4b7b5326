import { toHex } from './encoding.ts'
import { demand } from './failure.ts'

const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const CHECKSUM = 6

/** Hex of the bytes of an address in bech32, with this prefix. Throws ProofError when it is mistyped. */
export function readAddress(text: string, prefix: string): string {
  const start = `${prefix}1`
  const words = [...text.slice(start.length)].map((character) => CHARACTERS.indexOf(character))
  demand(
    text.startsWith(start) && words.length > CHECKSUM && !words.includes(-1),
    `${text} is not an address that begins with ${start}`,
  )
  const codes = [...prefix].map((character) => character.charCodeAt(0))
  const spread = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...words]
  demand(computeChecksum(spread) === 1, `${text} is mistyped: its checksum does not fit`)
  const bytes: number[] = []
  let bits = 0
  let rest = 0
  for (const word of words.slice(0, -CHECKSUM)) {
    rest = ((rest << 5) | word) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((rest >> bits) & 255)
  }
  demand(bits < 5 && (rest & ((1 << bits) - 1)) === 0, `${text} is not an address`)
  return toHex(Uint8Array.from(bytes))
}

/** `polymod` of BIP 173. */
function computeChecksum(words: readonly number[]): number {
  let sum = 1
  for (const word of words) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ word
    for (const [i, generator] of GENERATORS.entries()) if ((top >> i) & 1) sum ^= generator
  }
  return sum
}
