import { createDecipheriv, pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { keccak256 } from 'viem'
import { OperatorError } from '../lib/errors.ts'
import type { Hex } from './settings.ts'

/**
 * A private key from a file that nobody else can read: 32 bytes in hex, or an encrypted keystore (version 3, as wallets write it), which
 * `password` opens.
 */
export function readKeyFile(file: string, password: string | undefined): Hex {
  const text = readPrivateFile(file)
  if (!text.startsWith('{')) return toKey(text, file)
  if (password === undefined)
    throw new OperatorError('bad_key_file', `${file} is an encrypted keystore: name its password in PAID_SETTLER_KEY_PASSWORD`)
  return openKeystore(text, password, file)
}

function readPrivateFile(file: string): string {
  try {
    const { mode } = statSync(file)
    if ((mode & 0o077) !== 0)
      throw new OperatorError(
        'bad_key_file',
        `${file} can be read by others: chmod 600 it (mode is ${(mode & 0o777).toString(8)})`,
      )
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError('bad_key_file', `the key file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** With or without 0x. */
export function toKey(text: string, file: string): Hex {
  const key = text.startsWith('0x') ? text : `0x${text}`
  if (!/^0x[0-9a-fA-F]{64}$/.test(key))
    throw new OperatorError('bad_key_file', `the key file ${file} does not hold a private key: 32 bytes in hex`)
  return key as Hex
}

type Keystore = {
  crypto: {
    cipher: string
    ciphertext: string
    cipherparams: { iv: string }
    kdf: string
    kdfparams: { salt: string; dklen: number; n?: number; r?: number; p?: number; c?: number }
    mac: string
  }
}

const MAX_MEMORY_BYTES = 2 ** 30

function openKeystore(text: string, password: string, file: string): Hex {
  const damaged = () => new OperatorError('bad_key_file', `${file} is no keystore of version 3 (scrypt or pbkdf2, aes-128-ctr)`)
  try {
    const { crypto } = JSON.parse(text) as Keystore
    if (crypto.cipher !== 'aes-128-ctr') throw damaged()
    const derived = deriveKey(crypto, password)
    if (!derived) throw damaged()
    const sealed = Buffer.from(crypto.ciphertext, 'hex')
    const mac = Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), sealed])).slice(2), 'hex')
    if (!timingSafeEqual(mac, Buffer.from(crypto.mac.replace(/^0x/, ''), 'hex')))
      throw new OperatorError('bad_key_file', `the password does not open ${file}`)
    const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(crypto.cipherparams.iv, 'hex'))
    return toKey(Buffer.concat([decipher.update(sealed), decipher.final()]).toString('hex'), file)
  } catch (error) {
    throw error instanceof OperatorError ? error : damaged()
  }
}

function deriveKey({ kdf, kdfparams }: Keystore['crypto'], password: string): Buffer | undefined {
  const { salt, dklen, n, r, p, c } = kdfparams
  const bytes = Buffer.from(salt, 'hex')
  if (kdf === 'scrypt' && n && r && p) return scryptSync(password, bytes, dklen, { N: n, r, p, maxmem: MAX_MEMORY_BYTES })
  if (kdf === 'pbkdf2' && c) return pbkdf2Sync(password, bytes, c, dklen, 'sha256')
  return undefined
}
