import { AsyncLocalStorage } from 'node:async_hooks'
import { createClient, http, type Transport } from 'viem'
import { ChainAway, isNodeFault, RPC_TIMEOUT_MS } from '../evm/rpc.ts'
import type { PaySettings } from '../settings.ts'

/** Faults of the node during one validation. The library tells all of them as a bad credential, which they are not. */
const noticed = new AsyncLocalStorage<{ fault?: unknown }>()

/** Runs `work`; when it fails after the node was at fault, that is what is thrown. */
export function blameNode<T>(work: () => Promise<T>): Promise<T> {
  const notice: { fault?: unknown } = {}
  return noticed.run(notice, async () => {
    try {
      return await work()
    } catch (error) {
      throw notice.fault === undefined ? error : new ChainAway('rpc', notice.fault)
    }
  })
}

function noticing(transport: Transport): Transport {
  return (options) => {
    const opened = transport(options)
    const request = async (call: unknown) => {
      try {
        return await opened.request(call as never)
      } catch (error) {
        const notice = noticed.getStore()
        if (notice && isNodeFault(error)) notice.fault = error
        throw error
      }
    }
    return { ...opened, request: request as typeof opened.request }
  }
}

/** Loaded only where it is offered: it brings half a second of code. */
export async function createTempoMethod({ tempo: chain, recipient }: PaySettings) {
  const [{ tempo }, chains] = await Promise.all([import('mppx/server'), import('viem/tempo/chains')])
  const { chainId, rpcUrl, token, decimals } = chain!
  // The chain's own transaction form comes from its definition; id and address are ours to say.
  const transport = noticing(http(rpcUrl, { timeout: RPC_TIMEOUT_MS, retryCount: 1, retryDelay: 100 }))
  const client = createClient({ chain: { ...chains.tempo, id: chainId }, transport })
  return tempo.charge({
    currency: token,
    decimals,
    recipient,
    // A payer that has sent the money before the lookup could not be spared when there is nothing to sell.
    supportedModes: ['pull'],
    getClient: () => client as never,
  })
}
