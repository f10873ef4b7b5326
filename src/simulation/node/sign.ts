import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto'
import { ValidatorSet } from '../../chain/validator-set.ts'
import { toSignedBytes } from '../../chain/verify-commit.ts'
import type { RpcBlockId, RpcCommitSignature } from '../../chain/wire.ts'
import { consensusAddress } from '../../lib/encoding/bech32.ts'
import { type ForgedBlock, sealBlock } from './forge.ts'

/** A validator whose key we hold: the same name is always the same key. `publicKey` is lower-case hex. */
export type Signer = { publicKey: string; address: string; power: bigint; sign: (bytes: Uint8Array) => Buffer }

/** DER head of an ed25519 private key, before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

export function makeSigner(name: string, power: bigint): Signer {
  const seed = hash('sha256', `signing key of ${name}`, 'buffer')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    publicKey: publicKey.toString('hex'),
    address: consensusAddress(publicKey),
    power,
    sign: (bytes) => sign(null, bytes, key),
  }
}

/**
 * `validators` is who has to sign a height, `signers` who does: the same unless a test wants it otherwise. `misses`: whose place in a
 * commit stays empty.
 */
export type Signing = {
  validators: (height: number) => readonly Signer[]
  signers?: (height: number) => readonly Signer[]
  misses?: (signer: Signer, height: number) => boolean
}

/**
 * Gives consecutive blocks the validators and the votes that they need, and links them to each other and to `parent`. Updates in their
 * results are left alone: `validators` has to agree with them.
 */
export function signBlocks(
  blocks: readonly ForgedBlock[],
  { validators, signers = validators, misses = () => false }: Signing,
  parent?: ForgedBlock,
): void {
  let before = parent
  for (const forged of blocks) {
    const { header, last_commit: commit } = forged.block.block
    header.validators_hash = hashOf(validators(forged.height))
    header.next_validators_hash = hashOf(validators(forged.height + 1))
    if (before) commit.signatures = vote(signers(before.height), misses, before, header.chain_id, header.time)
    sealBlock(forged, before)
    before = forged
  }
}

/** Consecutive heights have the same list most of the time. */
const hashes = new WeakMap<readonly Signer[], string>()

function hashOf(signers: readonly Signer[]): string {
  const hash = hashes.get(signers) ?? ValidatorSet.of(signers).hash
  hashes.set(signers, hash)
  return hash
}

const ABSENT: RpcCommitSignature = {
  block_id_flag: 1,
  validator_address: '',
  timestamp: '0001-01-01T00:00:00Z',
  signature: null,
}

function vote(
  signers: readonly Signer[],
  misses: (signer: Signer, height: number) => boolean,
  { height, block }: ForgedBlock,
  chainId: string,
  time: string,
): RpcCommitSignature[] {
  const blockId: RpcBlockId = block.block_id
  const bytes = toSignedBytes({ height, round: 0, blockId }, time, chainId)
  return signers.map((signer) =>
    misses(signer, height)
      ? ABSENT
      : {
          block_id_flag: 2,
          validator_address: signer.address,
          timestamp: time,
          signature: signer.sign(bytes).toString('base64'),
        },
  )
}
