import { parseResults } from '../../chain/parse-results.ts'
import type { RawBlock } from '../../chain/source.ts'
import { ValidatorSet } from '../../chain/validator-set.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { deriveGenesis } from '../../derive/genesis.ts'
import { answerStateQuery } from './abci-query.ts'
import type { ReplayChain } from './chain.ts'
import type { Call, FaultSwitch } from './faults.ts'
import { type ForgedBlock, sealBlock, toForgedBlock, toRawBlock } from './forge.ts'

/** One call answered: bytes of the result, or the error of JSON-RPC. */
export type Answer = { result: Uint8Array } | { error: { code: number; message: string; data: string } }

export type NodeView = {
  chain: ReplayChain
  faults: FaultSwitch
  height: () => number
  isCatchingUp: () => boolean
  genesisChunkBytes: number
}

export const METHODS = [
  'status',
  'health',
  'genesis',
  'genesis_chunked',
  'block',
  'block_results',
  'commit',
  'validators',
  'abci_query',
] as const

/** Answers one call as a node of the 0.38 line does. */
export async function answerCall(node: NodeView, call: Call, params: Record<string, unknown>): Promise<Answer> {
  if (node.faults.strike('rpc-error', call)) return refuse(-32603, 'Internal error', 'something went wrong inside')
  if (node.faults.strike('wrong-type', call)) return { result: Buffer.from('"a text instead of an object"') }
  if (node.faults.strike('deep-nesting', call)) {
    return { result: Buffer.from(`{"block":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) }
  }
  if (Number.isNaN(call.height)) return refuse(-32602, 'Invalid params', 'error converting json params to arguments')
  switch (call.method) {
    case 'status':
      return toResult(await describeStatus(node, call))
    case 'health':
      return toResult({})
    case 'genesis':
      return answerGenesis(node)
    case 'genesis_chunked':
      return answerGenesisChunk(node, Number(params.chunk ?? 0))
    case 'block':
    case 'block_results':
      return answerHeight(node, call)
    case 'commit':
      return answerCommit(node, call)
    case 'validators':
      return answerValidators(node, call, params)
    case 'abci_query':
      return toResult(
        answerStateQuery({ proveState: node.chain.proveState, faults: node.faults, head: node.height() }, call, params),
      )
    default:
      return refuse(-32601, 'Method not found', '')
  }
}

async function describeStatus(node: NodeView, call: Call) {
  const { chain, faults } = node
  const catchingUp = faults.strike('catching-up', call)
  const behind = catchingUp ?? faults.strike('head-backwards', call) ?? faults.strike('lagging', call)
  const height = Math.max(chain.first, node.height() - (behind ? (behind.blocks ?? 5) : 0))
  const raw = await chain.block(height)
  const header = raw && toForgedBlock(raw).block
  const excess = faults.strike('over-claims', call)?.blocks ?? 0
  return {
    node_info: {
      network: faults.strike('wrong-chain-id', call) ? 'another-chain' : chain.chainId,
      version: '0.38.17',
      protocol_version: { p2p: '8', block: '11', app: header?.block.header.version.app ?? '0' },
    },
    sync_info: {
      latest_block_hash: header?.block_id.hash ?? '',
      latest_block_height: String(height + excess),
      latest_block_time: header?.block.header.time ?? '0001-01-01T00:00:00Z',
      earliest_block_height: String(faults.strike('pruned', call)?.blocks ?? chain.first),
      catching_up: catchingUp !== undefined || node.isCatchingUp(),
    },
  }
}

async function answerGenesis({ chain, genesisChunkBytes }: NodeView): Promise<Answer> {
  const genesis = await chain.genesis()
  if (genesis.length > genesisChunkBytes) {
    return refuse(-32603, 'Internal error', 'genesis response is large, please use the genesis_chunked API instead')
  }
  return { result: Buffer.concat([Buffer.from('{"genesis":'), genesis, Buffer.from('}')]) }
}

async function answerGenesisChunk({ chain, genesisChunkBytes }: NodeView, chunk: number): Promise<Answer> {
  const genesis = Buffer.from(await chain.genesis())
  const total = Math.ceil(genesis.length / genesisChunkBytes)
  if (!(chunk >= 0 && chunk < total))
    // Nodes name the last chunk here, not how many there are.
    return refuse(-32603, 'Internal error', `there are ${total - 1} chunks, ${chunk} is invalid`)
  const data = genesis.subarray(chunk * genesisChunkBytes, (chunk + 1) * genesisChunkBytes).toString('base64')
  return toResult({ chunk: String(chunk), total: String(total), data })
}

async function answerHeight(node: NodeView, call: Call): Promise<Answer> {
  const { chain, faults } = node
  const head = node.height() - (faults.strike('lagging', call)?.blocks ?? 0)
  const height = call.height ?? head
  const lowest = faults.strike('pruned', call)?.blocks ?? chain.first
  const refusal = refuseHeight(height, head, lowest)
  if (refusal) return refusal
  const isResults = call.method === 'block_results'
  // A block is stored, and named by the status, before it is executed.
  const isUnexecuted = isResults && height === head && faults.strike('results-late', call)
  if (isUnexecuted || (isResults && faults.strike('missing-results', call))) {
    return refuse(-32603, 'Internal error', `could not find results for height #${height}`)
  }
  if (isResults && faults.strike('results-not-kept', call)) {
    return refuse(-32603, 'Internal error', 'node is not persisting finalize block responses')
  }
  const isElsewhere = faults.strike('wrong-height', call)
  const raw = await chain.block(isElsewhere ? (height > chain.first ? height - 1 : height + 1) : height)
  if (!raw) return refuse(-32603, 'Internal error', `height ${height} is not available, lowest height is ${lowest}`)
  const told = twist(faults, call, raw)
  return { result: isResults ? told.results : told.block }
}

/** The votes for a block are in the next one; those for the last block of a recording were never recorded. */
async function answerCommit(node: NodeView, call: Call): Promise<Answer> {
  const { chain, faults } = node
  const head = node.height()
  const height = call.height ?? head
  const refusal = refuseHeight(height, head, faults.strike('pruned', call)?.blocks ?? chain.first)
  if (refusal) return refusal
  const [raw, next] = await Promise.all([chain.block(height), chain.block(height + 1)])
  if (!raw || !next) return refuse(-32603, 'Internal error', `could not find the commit of height ${height}`)
  const { header } = toForgedBlock(raw).block.block
  return toResult({ signed_header: { header, commit: toForgedBlock(next).block.block.last_commit }, canonical: height < head })
}

const MAX_PER_PAGE = 100

/** Those of the height after the head are known too. A page has at most a hundred, and thirty unless told otherwise. */
async function answerValidators(node: NodeView, call: Call, params: Record<string, unknown>): Promise<Answer> {
  const { chain, faults } = node
  const height = call.height ?? node.height() + 1
  const refusal = refuseHeight(height, node.height() + 1, faults.strike('pruned', call)?.blocks ?? chain.first)
  if (refusal) return refusal
  const all = (await findValidators(chain, height)).list()
  if (all.length === 0) return refuse(-32603, 'Internal error', `could not find validator set for height #${height}`)
  const perPage = Math.min(MAX_PER_PAGE, Number(params.per_page ?? 30))
  const page = Number(params.page ?? 1)
  const pages = Math.ceil(all.length / perPage)
  if (!(page >= 1 && page <= pages))
    return refuse(-32603, 'Internal error', `page should be within [1, ${pages}] range, given ${page}`)
  const validators = all.slice((page - 1) * perPage, page * perPage).map(({ address, publicKey, power }) => ({
    address,
    pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.from(publicKey, 'hex').toString('base64') },
    voting_power: String(faults.strike('tampered-validators', call) ? power + 1n : power),
    proposer_priority: '0',
  }))
  return toResult({ block_height: String(height), validators, count: String(validators.length), total: String(all.length) })
}

function refuseHeight(height: number, head: number, lowest: number): Answer | undefined {
  if (height <= 0) return refuse(-32603, 'Internal error', `height must be greater than 0, but got ${height}`)
  if (height > head) {
    return refuse(
      -32603,
      'Internal error',
      `height ${height} must be less than or equal to the current blockchain height ${head}`,
    )
  }
  if (height < lowest) return refuse(-32603, 'Internal error', `height ${height} is not available, lowest height is ${lowest}`)
  return undefined
}

/** Lies about the content. Only the one about the chain is sealed: a node of another network does not contradict itself. */
function twist(faults: FaultSwitch, call: Call, raw: RawBlock): RawBlock {
  const changes: ((forged: ForgedBlock) => void)[] = []
  if (faults.strike('wrong-chain-id', call)) {
    changes.push((forged) => {
      forged.block.block.header.chain_id = 'another-chain'
      sealBlock(forged)
    })
  }
  if (call.method === 'block') {
    if (faults.strike('tampered-header', call)) {
      changes.push(({ block }) => {
        block.block.header.app_hash = 'AB'.repeat(32)
      })
    }
    if (faults.strike('tampered-tx', call)) {
      changes.push(({ block }) => {
        block.block.data.txs = (block.block.data.txs ?? []).map((tx) => `AAAA${tx.slice(4)}`)
      })
    }
    if (faults.strike('tampered-blob', call)) {
      changes.push(({ block: { block } }) => {
        const versionApp = Number(block.header.version.app)
        block.data.txs = (block.data.txs ?? []).map((tx) => spoilBlobs(Buffer.from(tx, 'base64'), versionApp).toString('base64'))
      })
    }
  } else {
    if (faults.strike('null-results', call)) {
      changes.push(({ results }) => {
        results.txs_results = null
      })
    }
    if (faults.strike('tampered-results', call)) {
      changes.push(({ results }) => {
        for (const result of results.txs_results ?? []) result.gas_used = '1'
      })
    }
  }
  if (changes.length === 0) return raw
  const forged = toForgedBlock(raw)
  for (const change of changes) change(forged)
  return toRawBlock(forged)
}

/** The first byte of every blob is another one; the tx is as well formed as before. */
function spoilBlobs(tx: Buffer, versionApp: number): Buffer {
  // Payloads are views into the tx.
  for (const { data } of toSquareTx(tx, versionApp).blobs) if (data.length > 0) data[0]! ^= 1
  return tx
}

function toResult(value: unknown): Answer {
  return { result: Buffer.from(JSON.stringify(value)) }
}

function refuse(code: number, message: string, data: string): Answer {
  return { error: { code, message, data } }
}

/** Validators of a height: those of the genesis with the updates of all results that count by then. */
async function findValidators(chain: ReplayChain, height: number): Promise<ValidatorSet> {
  let validators = ValidatorSet.of(await listGenesisValidators(chain))
  // Updates count two heights later.
  for (let earlier = chain.first; earlier <= height - 2; earlier++) {
    const raw = await chain.block(earlier)
    if (!raw) break
    const { block, results } = toForgedBlock(raw)
    validators = validators.update(parseResults(results, earlier, block.block.data.txs?.length ?? 0).validatorUpdates)
  }
  return validators
}

async function listGenesisValidators(chain: ReplayChain) {
  const { facts } = deriveGenesis(JSON.parse(Buffer.from(await chain.genesis()).toString('utf8')))
  return facts.effects.flatMap((effect) =>
    effect.kind === 'validator-power' && effect.publicKey !== undefined
      ? [{ publicKey: effect.publicKey, power: effect.power }]
      : [],
  )
}
