/** Time of an account that one payment pays for. `amount`: what the time from `from` to `to` is worth, in millionths of a dollar. */
export type Term = { payment: string; plan: string; amount: bigint; from: number; to: number }

export type BoughtTerm = { payment: string; plan: string; amount: bigint; seconds: number }

/**
 * Terms of an account after a purchase at `now` (unix seconds). The plan it has is extended from its end (`until`). Another plan begins at
 * once: every term that is left becomes time of the new plan of the same value, and the bought time follows.
 */
export function addTerm(terms: readonly Term[], bought: BoughtTerm, now: number, until = now): Term[] {
  const isSame = terms.every(({ plan }) => plan === bought.plan)
  const kept = isSame
    ? [...terms]
    : lay(
        terms.map((term) => convert(cut(term, now), bought)),
        now,
      )
  const from = Math.max(now, isSame ? until : now, ...kept.map(({ to }) => to))
  const { payment, plan, amount, seconds } = bought
  return [...kept, { payment, plan, amount, from, to: from + seconds }]
}

/** Terms of an account without those of a payment whose money is gone: those after it move up. */
export function removeTerm(terms: readonly Term[], payment: string, now: number): Term[] {
  const rest = terms.filter((term) => term.payment !== payment)
  return lay(
    rest.map((term) => cut(term, now)),
    now,
  )
}

/** What is left of a term, worth its share of the amount, rounded down to a millionth of a dollar. */
function cut(term: Term, now: number): Term {
  const from = Math.max(now, term.from)
  const left = Math.max(0, term.to - from)
  return { ...term, from, to: from + left, amount: (term.amount * BigInt(left)) / BigInt(Math.max(1, term.to - term.from)) }
}

/** The same value as time of another plan, rounded down to a second. */
function convert(term: Term, { plan, amount, seconds }: BoughtTerm): Term {
  return { ...term, plan, to: term.from + Number((term.amount * BigInt(seconds)) / amount) }
}

/** One after the other from `now` on. */
function lay(terms: readonly Term[], now: number): Term[] {
  let end = now
  return terms
    .toSorted((a, b) => a.from - b.from)
    .map((term) => {
      const from = end
      end += term.to - term.from
      return { ...term, from, to: end }
    })
}
