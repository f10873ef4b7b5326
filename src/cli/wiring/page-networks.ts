import type { PageNetwork } from '../../page/page.ts'
import type { NetworkApi } from './network-api.ts'

/** The networks as the page links to them: by the address clients see. */
export function pageNetworks(apis: readonly NetworkApi[]): PageNetwork[] {
  return apis.map(({ network, url, ctx }) => {
    const chainId = ctx.head()?.chain_id
    return {
      name: network.name,
      kind: network.kind,
      ...(chainId && { chain_id: chainId }),
      url: network.public_url ?? url,
      ...(network.generated && { demo: true as const }),
    }
  })
}
