import { hash } from 'node:crypto'
import { encodeAddress, moduleAccount } from '../../lib/encoding/bech32.ts'

/** An account by name: the same name is always the same account. */
export function anAccount(name: string): { hex: string; text: string; operator: string } {
  const hex = hash('sha256', `account ${name}`, 'hex').slice(0, 40)
  return { hex, text: encodeAddress('celestia', hex), operator: encodeAddress('celestiavaloper', hex) }
}

const modules = new Map<string, string>()

export function moduleText(name: string): string {
  const text = modules.get(name) ?? encodeAddress('celestia', moduleAccount(name))
  modules.set(name, text)
  return text
}
