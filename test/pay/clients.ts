import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { Challenge, Credential, Receipt } from 'mppx'
import { Mppx } from 'mppx/client'
import { charge } from 'mppx/evm/client'
import { privateKeyToAccount } from 'viem/accounts'
import { payerKey } from '../../src/pay/local/accounts.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'

/** The official clients of both protocols, as a customer would set them up for our token. */

export function mppClient({ evm }: PaySettings, key: Hex = payerKey(0)) {
  const { tokenName, tokenVersion, chainId, token, decimals } = evm!
  return Mppx.create({
    polyfill: false,
    methods: [
      charge({
        account: privateKeyToAccount(key),
        authorization: { name: tokenName, version: tokenVersion },
        networks: [chainId],
        currencies: [token],
        decimals,
      }),
    ],
  })
}

export function x402Fetch({ evm }: PaySettings, key: Hex = payerKey(1)): typeof fetch {
  const { chainId } = evm!
  const network = `eip155:${chainId}` as const
  const client = x402Client.fromConfig({
    schemes: [{ network, client: new ExactEvmScheme(privateKeyToAccount(key)) }],
    spendControls: { allowedAssets: true },
  })
  return wrapFetchWithPayment(fetch, client) as typeof fetch
}

export const receiptOf = (response: Response) => Receipt.fromResponse(response)

/** A credential made by the official client, not sent yet. */
export async function makeMppCredential(settings: PaySettings, url: string, key: Hex = payerKey(0)): Promise<string> {
  const client = mppClient(settings, key)
  const payment = await client.preparePayment(await fetch(url))
  return payment.createCredential()
}

export { Challenge, Credential }
