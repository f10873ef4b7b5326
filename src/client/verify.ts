import type { BalanceProof, ShareProof, SupplyProof, ValidatorProof } from './gen/operations.ts'
import { readAddress } from './proof/bech32.ts'
import type { VerifiedBlock } from './proof/block.ts'
import { type Bytes, equal, fromBase64, fromHex } from './proof/encoding.ts'
import { demand } from './proof/failure.ts'
import { hashInBrowser } from './proof/hashing.ts'
import { findTx, type ProvenBlob, readBlob, verifyShares } from './proof/shares.ts'
import { verifyStateProof } from './proof/state.ts'
import { keyOf, readValue, type StateRecord, type StateValue } from './proof/state-record.ts'

export { hashValidators, type Trust, type VerifiedBlock, verifyBlock } from './proof/block.ts'
export { ProofError } from './proof/failure.ts'
export type { ProvenBlob } from './proof/shares.ts'

/**
 * The bytes of a tx that is proven to be in a verified block; of one that pays for blobs, without the blobs. `hash` is hex. Throws
 * ProofError.
 */
export async function verifyTx(proof: ShareProof, hash: string, block: Pick<VerifiedBlock, 'dataHash'>): Promise<Bytes> {
  const tx = await findTx(await verifyShares(proof, block.dataHash), hash)
  demand(tx, 'the proven shares do not hold the tx')
  return tx
}

/** A blob that is proven to be in a verified block: its content comes out of the proof itself. Throws ProofError. */
export async function verifyBlob(proof: ShareProof, block: Pick<VerifiedBlock, 'dataHash'>): Promise<ProvenBlob> {
  const blob = readBlob(await verifyShares(proof, block.dataHash))
  demand(equal(blob.namespace, fromBase64(proof.namespace)), 'the blob is of another namespace')
  return blob
}

/** The header above a height has the root of the state after it. */
type BlockAbove = Pick<VerifiedBlock, 'height' | 'appHash'>

/**
 * Balance of an account in a denomination after block `proof.height`, 0 when nothing. `block` is the verified `proof.block`: the one above.
 * Throws ProofError.
 */
export async function verifyBalance(
  proof: BalanceProof,
  { address, denom = 'utia' }: { address: string; denom?: string },
  block: BlockAbove,
): Promise<bigint> {
  return verifyAmount(proof, { kind: 'balance', address: readAddress(address, 'celestia'), denom }, block)
}

/** The supply of a denomination after block `proof.height`. Throws ProofError. */
export async function verifySupply(
  proof: SupplyProof,
  { denom = 'utia' }: { denom?: string },
  block: BlockAbove,
): Promise<bigint> {
  return verifyAmount(proof, { kind: 'supply', denom }, block)
}

/** `shares` are multiples of 10^-18; `bonded`: in the active set. */
export type ProvenValidator = { tokens: bigint; shares: bigint; jailed: boolean; bonded: boolean }

/** A validator after block `proof.height`; undefined when the chain has none with this operator address. Throws ProofError. */
export async function verifyValidator(
  proof: ValidatorProof,
  { operator }: { operator: string },
  block: BlockAbove,
): Promise<ProvenValidator | undefined> {
  const record: StateRecord = { kind: 'validator', operator: readAddress(operator, 'celestiavaloper') }
  return (await readRecord(proof, record, block)) as ProvenValidator | undefined
}

async function verifyAmount(proof: BalanceProof | SupplyProof, record: StateRecord, block: BlockAbove): Promise<bigint> {
  const value = await readRecord(proof, record, block)
  return value && 'amount' in value ? value.amount : 0n
}

async function readRecord(
  { height, ops }: Pick<BalanceProof, 'height' | 'ops'>,
  record: StateRecord,
  block: BlockAbove,
): Promise<StateValue | undefined> {
  demand(block.height === height + 1, `block ${block.height} is not the one above height ${height}`)
  const steps = ops.map(({ type, key, data }) => ({ type, key: fromBase64(key), data: fromBase64(data) }))
  const bytes = await hashInBrowser(verifyStateProof(keyOf(record), steps, fromHex(block.appHash)))
  return bytes && readValue(record, bytes)
}
