import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, nonceManager, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { fundGas } from '../../src/pay/local-chain/anvil.ts'
import { flood } from '../support/flood.ts'
import type { Bed } from './bed.ts'

export type LocalFacilitator = {
  url: string
  /**
   * `up` does what it should, `down` breaks every connection, `failing` answers 500, `lost` settles and breaks off before it says so, `lying`
   * names a transaction that does not exist, `boasting` names that of another payment, `refusing` settles nothing and says so, `silent` takes
   * the order to settle and never answers, `flooding` answers without end
   */
  mode: 'up' | 'down' | 'failing' | 'lost' | 'lying' | 'boasting' | 'refusing' | 'silent' | 'flooding'
  /** bytes of its endless answers */
  flooded: number
  asked: { path: string; body: Asked }[]
  close: () => Promise<void>
}

type Asked = { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements }

/** A facilitator as its authors publish it, over HTTP on the local payment chain, which behaves as badly as it is told to. */
export async function startFacilitator({ chain, settings }: Bed): Promise<LocalFacilitator> {
  const account = privateKeyToAccount(generatePrivateKey(), { nonceManager })
  await fundGas(chain.rpcUrl, account.address)
  const { chainId } = settings.evm!
  const local = { id: chainId, name: 'local', nativeCurrency: { name: 'E', symbol: 'E', decimals: 18 } }
  const rpcUrls = { default: { http: [chain.rpcUrl] } }
  const wallet = createWalletClient({ account, chain: { ...local, rpcUrls }, transport: http(), pollingInterval: 20 })
  const client = { ...wallet.extend(publicActions), address: account.address }
  const signer = toFacilitatorEvmSigner(client as unknown as Parameters<typeof toFacilitatorEvmSigner>[0])
  const facilitator = new x402Facilitator().register(`eip155:${chainId}`, new ExactEvmScheme(signer))

  const answer = async (path: string, body: Asked): Promise<unknown> => {
    if (path === '/supported') return facilitator.getSupported()
    if (path === '/verify') return facilitator.verify(body.paymentPayload, body.paymentRequirements)
    const { network } = body.paymentRequirements
    switch (started.mode) {
      case 'lying':
        return { success: true, network, transaction: generatePrivateKey() }
      case 'boasting': {
        const block = await wallet.extend(publicActions).getBlock()
        return { success: true, network, transaction: block.transactions[0] }
      }
      case 'refusing':
        return { success: false, network, transaction: '', errorReason: 'unexpected_settle_error' }
      default:
        return facilitator.settle(body.paymentPayload, body.paymentRequirements)
    }
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', async () => {
      const path = request.url ?? ''
      const body = text === '' ? ({} as Asked) : (JSON.parse(text) as Asked)
      started.asked.push({ path, body })
      if (started.mode === 'down') return request.socket.destroy()
      if (started.mode === 'failing') return response.writeHead(500).end('{"error":"out of order"}')
      if (started.mode === 'flooding')
        return flood(response, (bytes) => {
          started.flooded += bytes
        })
      if (started.mode === 'silent' && path === '/settle') return
      const said = await answer(path, body)
      if (started.mode === 'lost' && path === '/settle') return request.socket.destroy()
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(said))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const started: LocalFacilitator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'up',
    flooded: 0,
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return started
}
