// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what has to be found
const SUSPECT = /[\u0000\ud800-\udfff]/

/** PostgreSQL keeps UTF-8 without U+0000: half a surrogate pair would be replaced on the way, and U+0000 refused. */
export function isStorable(text: string): boolean {
  return !SUSPECT.test(text) || (!text.includes('\0') && isWellFormed(text))
}

function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed()
}
