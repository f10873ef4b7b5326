/** Role of an address in a message, in the order of the API's enum: the index is the stored id, so names are only ever added at the end. */
export const ADDRESS_ROLES = [
  'validator',
  'delegator',
  'depositor',
  'validatorSrc',
  'validatorDst',
  'fromAddress',
  'toAddress',
  'input',
  'output',
  'grantee',
  'granter',
  'signer',
  'withdraw',
  'voter',
  'proposer',
  'authority',
  'sender',
  'receiver',
  'submitter',
  'admin',
  'newAdmin',
  'groupPolicyAddress',
  'executor',
  'groupMember',
  'owner',
  'relayer',
  'payee',
] as const

export type AddressRole = (typeof ADDRESS_ROLES)[number]

const idByRole = new Map<string, number>(ADDRESS_ROLES.map((role, id) => [role, id]))

export function addressRoleId(role: AddressRole): number {
  return idByRole.get(role)!
}

export function addressRoleName(id: number): AddressRole | undefined {
  return ADDRESS_ROLES[id]
}
