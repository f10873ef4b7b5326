import { hash } from 'node:crypto'
import { encodeAddress, moduleAccount } from '../../lib/bech32.ts'

/** An account by name: the same name is always the same account. */
export function anAccount(name: string): { hex: string; text: string; operator: string } {
  const hex = hash('sha256', `account ${name}`, 'hex').slice(0, 40)
  return { hex, text: encodeAddress('celestia', hex), operator: encodeAddress('celestiavaloper', hex) }
}

export const moduleText = (name: string): string => encodeAddress('celestia', moduleAccount(name))
