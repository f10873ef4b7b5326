import { AsyncLocalStorage } from 'node:async_hooks'
import { BaseError, createClient, type Transport } from 'viem'
import { ChainAway, isNodeFault, openTransport } from '../evm/rpc.ts'
import { type PaymentRefused, refuse } from '../problem.ts'
import type { PaySettings } from '../settings.ts'

/** Why a call of one validation failed. The library tells a node at fault and a payment that is too late as a bad credential. */
const noticed = new AsyncLocalStorage<{ cause?: ChainAway | PaymentRefused }>()

/** Runs `work`; when it fails after a call to the node did, the cause of that is thrown. */
export function blameNode<T>(work: () => Promise<T>): Promise<T> {
  const notice: { cause?: ChainAway | PaymentRefused } = {}
  return noticed.run(notice, async () => {
    try {
      return await work()
    } catch (error) {
      throw notice.cause ?? error
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
        if (notice && isTooLate(call, error)) notice.cause = refuse('expired')
        else if (notice && isNodeFault(error)) notice.cause = new ChainAway('rpc', error)
        throw error
      }
    }
    return { ...opened, request: request as typeof opened.request }
  }
}

/** Whether the time of the simulated transaction is over, by our clock or by the chain's: nodes call that an internal error. */
function isTooLate(call: unknown, error: unknown): boolean {
  const { params } = call as { params?: [{ validBefore?: string }?, ...unknown[]] }
  const validBefore = params?.[0]?.validBefore
  if (validBefore === undefined) return false
  return Number(validBefore) * 1000 <= Date.now() || (error instanceof BaseError && /transaction expired/i.test(error.details))
}

/** Loaded only where it is offered: it brings half a second of code. */
export async function createTempoMethod({ tempo: chain, recipient }: PaySettings) {
  const [{ tempo }, chains] = await Promise.all([import('mppx/server'), import('viem/tempo/chains')])
  const { chainId, rpcUrl, token, decimals } = chain!
  // The chain's own transaction form comes from its definition; id and address are ours to say.
  const transport = noticing(openTransport(rpcUrl, { retryCount: 1 }))
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
