import type { PublicClient } from 'viem'
import { OperatorError } from '../../lib/errors.ts'
import { isNodeFault, openClient, summarize } from '../evm/rpc.ts'
import { TOKEN_ABI } from '../evm/token.ts'
import type { EvmSettings, PaySettings, TempoSettings } from '../settings.ts'

const AWAY = 'payment_chain_away'

/** Whether a check failed because nobody answered, which may change. */
export const isAway = (error: unknown): boolean => error instanceof OperatorError && error.code === AWAY

/** Refuses to take money on a chain or token that is not what the settings say: signatures would be worthless. */
export async function checkChains({ methods, evm, tempo }: Pick<PaySettings, 'methods' | 'evm' | 'tempo'>): Promise<void> {
  if (evm && methods.includes('evm')) await checkChain('evm', evm, { token_name: evm.tokenName, token_version: evm.tokenVersion })
  if (tempo && methods.includes('tempo')) await checkChain('tempo', tempo, {})
}

type Facts = Record<string, string | number>

async function checkChain(method: 'evm' | 'tempo', chain: EvmSettings | TempoSettings, domain: Facts): Promise<void> {
  // Each node by itself: one that is away is not needed now, one of another chain must never be asked.
  const urls = [chain.rpcUrl, ...('moreRpcUrls' in chain ? (chain.moreRpcUrls ?? []) : [])]
  const results = await Promise.allSettled(urls.map((url) => checkNode(method, chain, domain, url)))
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const wrong = failed.find((error) => !isAway(error))
  if (wrong !== undefined) throw wrong
  if (failed.length === urls.length) throw failed[0]
}

async function checkNode(method: 'evm' | 'tempo', chain: EvmSettings | TempoSettings, domain: Facts, url: string): Promise<void> {
  const expected: Facts = { chain_id: chain.chainId, decimals: chain.decimals, ...domain }
  const found = await readFacts(openClient({ url }), chain, 'token_name' in domain).catch((error) => {
    if (isNodeFault(error))
      throw new OperatorError(AWAY, `the payment chain does not answer: check paid.${method}.rpc_url`, {}, summarize(error))
    throw new OperatorError(
      'payment_chain',
      `the token of the payment chain is none that ${method} can take: check paid.${method}.rpc_url and paid.${method}.token`,
      {},
      summarize(error),
    )
  })
  const wrong = Object.keys(expected).flatMap((name) =>
    found[name] === expected[name] ? [] : [`${name} is ${found[name]}, the settings say ${expected[name]}`],
  )
  if (wrong.length > 0) throw new OperatorError('payment_chain', `the payment chain is another one: ${wrong.join('; ')}`)
}

async function readFacts(client: PublicClient, { token }: { token: EvmSettings['token'] }, hasDomain: boolean): Promise<Facts> {
  const read = (functionName: 'name' | 'version' | 'decimals') =>
    client.readContract({ address: token, abi: TOKEN_ABI, functionName })
  const [chainId, decimals] = await Promise.all([client.getChainId(), read('decimals')])
  if (!hasDomain) return { chain_id: chainId, decimals }
  const [name, version] = await Promise.all([read('name'), read('version')])
  return { chain_id: chainId, decimals, token_name: name, token_version: version }
}
