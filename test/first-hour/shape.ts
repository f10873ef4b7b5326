/** Marks the place of what a document leaves out. */
const MORE = '…'

/** How an answer differs in shape from the one a document shows; undefined when it does not. Values may differ, types and keys not. */
export function compareShape(shown: unknown, given: unknown, at = '$'): string | undefined {
  if (typeof shown !== 'object' || shown === null)
    return kindOf(shown) === kindOf(given) ? undefined : `${at} is ${kindOf(given)}, not ${kindOf(shown)}`
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return `${at} is ${kindOf(given)}, not a list`
    if (shown.length > 0 && given.length === 0) return `${at} is empty`
    return shown.length === 0 ? undefined : compareShape(shown[0], given[0], `${at}[0]`)
  }
  if (kindOf(given) !== 'object') return `${at} is ${kindOf(given)}, not an object`
  const [wanted, found] = [shown as Record<string, unknown>, given as Record<string, unknown>]
  for (const [name, value] of Object.entries(wanted)) {
    if (name === MORE) continue
    if (!(name in found)) return `${at}.${name} is missing`
    const difference = compareShape(value, found[name], `${at}.${name}`)
    if (difference) return difference
  }
  const more = MORE in wanted ? undefined : Object.keys(found).find((name) => !(name in wanted))
  return more && `${at}.${more} is not shown`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Whether a text is the one shown, in which `…` stands for anything within a line. */
export function matchesText(shown: string, given: string): boolean {
  const lines = shown.trimEnd().split('\n')
  const pattern = lines.map((line) => line.split(MORE).map(escapeRegExp).join('.*')).join('\n')
  return new RegExp(`^${pattern}$`, 'i').test(given.replaceAll('\r', '').trimEnd())
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
