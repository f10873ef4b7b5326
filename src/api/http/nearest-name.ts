/** Letters that may differ for each four of a name. */
const LETTERS_PER_MISTAKE = 4
const SHORTEST = 4

/** The name that a misspelt one stands for: few letters are missing, added, exchanged or in another order. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  if (name.length < SHORTEST || name.length > 64) return undefined
  let best: { name: string; mistakes: number } | undefined
  for (const other of names) {
    const most = Math.floor(Math.max(name.length, other.length) / LETTERS_PER_MISTAKE)
    if (other.length < SHORTEST || Math.abs(other.length - name.length) > most) continue
    const mistakes = countMistakes(name, other)
    if (mistakes <= most && mistakes < (best?.mistakes ?? Number.POSITIVE_INFINITY)) best = { name: other, mistakes }
  }
  return best?.name
}

/** Edits between two texts; two neighbours in the wrong order are one. */
function countMistakes(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2]! + 1)
      next.push(edits)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
