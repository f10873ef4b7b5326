/** Owners that a tx or blob must belong to. Values of one kind are alternatives, kinds are combined. Addresses and namespaces as lower-case hex. */
export type OwnerFilter = {
  readonly namespaces?: readonly string[] | undefined
  readonly signers?: readonly string[] | undefined
  readonly addresses?: readonly string[] | undefined
}

export function isAmong(value: string | undefined, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value))
}
