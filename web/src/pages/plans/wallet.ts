/** Wallet of the browser (EIP-1193). */
type Wallet = { request: (call: { method: string; params?: unknown }) => Promise<unknown> }

export const findWallet = (): Wallet | undefined => (globalThis as { ethereum?: Wallet }).ethereum

type Accepted = {
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}
export type Offer = { x402Version: 2; resource: unknown; accepts: Accepted[]; extensions?: unknown }

const AUTHORIZATION = [
  ['from', 'address'],
  ['to', 'address'],
  ['value', 'uint256'],
  ['validAfter', 'uint256'],
  ['validBefore', 'uint256'],
  ['nonce', 'bytes32'],
]
const DOMAIN = [
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
]
const toFields = (pairs: string[][]) => pairs.map(([name, type]) => ({ name, type }))

/** Signs one transfer of the offered price (EIP-3009): nothing moves before the service sends it. The value of PAYMENT-SIGNATURE. */
export async function signPayment(wallet: Wallet, offer: Offer): Promise<string> {
  const accepted = offer.accepts[0]
  if (!accepted) throw new Error('The service offers no payment that a wallet can make.')
  const [from] = (await wallet.request({ method: 'eth_requestAccounts' })) as string[]
  const chainId = Number(accepted.network.replace('eip155:', ''))
  await chooseChain(wallet, chainId)
  const authorization = {
    from,
    to: accepted.payTo,
    value: accepted.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds),
    nonce: `0x${[...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  }
  const { name, version } = accepted.extra
  const typed = {
    types: { EIP712Domain: toFields(DOMAIN), TransferWithAuthorization: toFields(AUTHORIZATION) },
    primaryType: 'TransferWithAuthorization',
    domain: { name, version, chainId, verifyingContract: accepted.asset },
    message: authorization,
  }
  const signature = await wallet.request({ method: 'eth_signTypedData_v4', params: [from, JSON.stringify(typed)] })
  const { x402Version, resource, extensions } = offer
  return btoa(JSON.stringify({ x402Version, resource, accepted, extensions, payload: { signature, authorization } }))
}

async function chooseChain(wallet: Wallet, chainId: number): Promise<void> {
  const chosen = Number(await wallet.request({ method: 'eth_chainId' }))
  if (chosen === chainId) return
  await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: `0x${chainId.toString(16)}` }] })
}
