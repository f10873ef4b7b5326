import { hashHeader } from '../../chain/header-hash.ts'
import { asObject, parseJsonObject } from '../../chain/json-fields.ts'
import { parseHeader } from '../../chain/parse.ts'
import type { Witness } from '../../chain/source.ts'
import type { RpcHeader } from '../../chain/wire.ts'
import { AstrolabeError, OperatorError } from '../../lib/errors.ts'

/** A block by which others can tell a chain; the hash in lower-case hex. */
export type KnownBlock = { chainId: string; height: number; hash: string }

type Opinion = { origin: string } & ({ chainId: string; hash: string } | { reason: string })

/**
 * Asks every witness for a block that somebody else brought, and wants `needed` of them to have it. One that has another block is
 * reason enough to refuse. Gives those that confirmed it.
 */
export async function confirmBlock(
  witnesses: readonly Witness[],
  { chainId, height, hash }: KnownBlock,
  needed: number,
  signal: AbortSignal,
): Promise<string[]> {
  const opinions = await Promise.all(witnesses.map((witness) => askWitness(witness, height, signal)))
  const silent: string[] = []
  const confirmed: string[] = []
  for (const opinion of opinions) {
    const { origin } = opinion
    if ('reason' in opinion) silent.push(opinion.reason)
    else if (opinion.chainId !== chainId)
      throw new OperatorError('wrong_chain', `the rows are of chain ${chainId}, ${origin} serves ${opinion.chainId}`)
    else if (opinion.hash !== hash)
      throw new OperatorError(
        'wrong_block',
        `the rows end with block ${hash} at height ${height}, ${origin} has ${opinion.hash} there: they are not of the same chain`,
      )
    else confirmed.push(origin)
  }
  if (confirmed.length >= needed) return confirmed
  const count = confirmed.length === 0 ? 'no node confirms' : `only ${confirmed.join(', ')} confirms`
  const reasons = silent.length > 0 ? ` (${silent.join('; ')})` : ''
  throw new OperatorError(
    'not_confirmed',
    `${count} block ${hash} at height ${height}, ${needed} have to${reasons}: name more nodes, or accept this with --min-nodes ${confirmed.length}`,
  )
}

async function askWitness(witness: Witness, height: number, signal: AbortSignal): Promise<Opinion> {
  const { origin } = witness
  try {
    const header = await readHeader(witness, height, signal)
    if (header) return { origin, chainId: header.chain_id, hash: hashHeader(header).toLowerCase() }
    // A node that began with its own snapshot may have only what comes after.
    const next = await readHeader(witness, height + 1, signal)
    if (next) return { origin, chainId: next.chain_id, hash: next.last_block_id.hash.toLowerCase() }
    return { origin, reason: `${origin} does not have height ${height}` }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AstrolabeError)) throw error
    return { origin, reason: error.code === 'no_witness' ? error.message : `${origin}: ${error.message}` }
  }
}

/** Without its results, which a node may not have kept. Undefined when the witness does not have the height. */
async function readHeader(witness: Witness, height: number, signal: AbortSignal): Promise<RpcHeader | undefined> {
  const answer = await witness.commit(height, signal).catch((error: unknown) => {
    if (error instanceof AstrolabeError && error.code === 'no_commit') return undefined
    throw error
  })
  if (answer) {
    const { header } = asObject(parseJsonObject(answer, 'commit').signed_header, 'signed_header')
    return parseHeader(asObject(header, 'header'))
  }
  // The votes for the last block of a recording are not in it.
  const raw = await witness.block(height, signal)
  if (!raw) return undefined
  const { header } = asObject(parseJsonObject(raw.block, 'block').block, 'block')
  return parseHeader(asObject(header, 'header'))
}
