import type { Delegation, GeneratedState } from './state.ts'

/** Delegations are never removed, so what was found once stays true. */
const byOwner = new WeakMap<Delegation[], Map<string, Delegation[]>>()

export function delegationsOf({ delegations }: GeneratedState, by: string): readonly Delegation[] {
  return ownersOf(delegations).get(by) ?? []
}

export function addDelegation({ delegations }: GeneratedState, delegation: Delegation): void {
  const owners = ownersOf(delegations)
  delegations.push(delegation)
  enter(owners, delegation)
}

function ownersOf(delegations: Delegation[]): Map<string, Delegation[]> {
  const known = byOwner.get(delegations)
  if (known) return known
  const owners = new Map<string, Delegation[]>()
  for (const delegation of delegations) enter(owners, delegation)
  byOwner.set(delegations, owners)
  return owners
}

function enter(owners: Map<string, Delegation[]>, delegation: Delegation): void {
  const own = owners.get(delegation.by)
  if (own) own.push(delegation)
  else owners.set(delegation.by, [delegation])
}
