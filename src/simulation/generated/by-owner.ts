/** Delegations, and stake that is on its way. */
type Owned = { by: string }

/** A long chain has tens of thousands of them, and nearly every tx about stake asks for those of one account. */
const byOwner = new WeakMap<readonly Owned[], Map<string, Owned[]>>()

export function ownedBy<T extends Owned>(list: readonly T[], by: string): readonly T[] {
  return ownersOf(list).get(by) ?? []
}

export function addOwned<T extends Owned>(list: T[], item: T): void {
  const owners = ownersOf(list)
  list.push(item)
  enter(owners, item)
}

/** Takes out what has arrived. Entries end in the order in which they were made. */
export function takeArrived<T extends Owned & { ends: number }>(list: T[], time: number): T[] {
  const owners = ownersOf(list)
  const left = list.findIndex(({ ends }) => ends > time)
  const arrived = list.splice(0, left < 0 ? list.length : left)
  for (const { by } of arrived) {
    const own = owners.get(by)!
    own.shift()
    if (own.length === 0) owners.delete(by)
  }
  return arrived
}

function ownersOf<T extends Owned>(list: readonly T[]): Map<string, T[]> {
  const known = byOwner.get(list) as Map<string, T[]> | undefined
  if (known) return known
  const owners = new Map<string, T[]>()
  for (const item of list) enter(owners, item)
  byOwner.set(list, owners)
  return owners
}

function enter<T extends Owned>(owners: Map<string, T[]>, item: T): void {
  const own = owners.get(item.by)
  if (own) own.push(item)
  else owners.set(item.by, [item])
}
