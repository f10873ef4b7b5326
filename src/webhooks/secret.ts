import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { OperatorError } from '../lib/errors.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

/** A new signing secret, as its owner sees it once. */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * Keeps signing secrets in the database. Unlike API keys they must be readable to sign with, so they are encrypted (AES-256-GCM) and not
 * hashed. The key is derived from the pepper of the API keys, which is not in the database: a copy of the tables alone signs nothing.
 */
export class SecretBox {
  readonly #key: Buffer

  constructor(pepper: string) {
    this.#key = Buffer.from(hkdfSync('sha256', pepper, '', 'webhook secrets', 32))
  }

  /** `owner`, the id of the subscription, is bound to it: a row that was copied to another subscription does not open. */
  seal(secret: string, owner: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(owner))
    return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  open(sealed: Uint8Array, owner: string): string {
    const bytes = Buffer.from(sealed)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    } catch (error) {
      throw new OperatorError(
        'webhook_secret',
        `the secret of ${owner} was sealed under another pepper: give all servers the same KEY_PEPPER (or data folder)`,
        {},
        error,
      )
    }
  }
}

/** Headers by the Standard Webhooks convention: one signature for each secret, so that a receiver can change its own at any time. */
export function signHeaders(id: string, body: string, secrets: readonly string[], nowMs: number): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
