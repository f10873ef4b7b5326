import { api } from '../../api.ts'
import { nameVouchers } from '../../figures/denominations.ts'
import { shorten } from '../../format.ts'
import { useLoad } from '../../use-load.ts'

/** Names of denominations: those of IBC by the transfers that brought them, of one account or of all. */
export function useDenominations(currencies: readonly string[], address?: string): (currency: string) => string {
  const hasVouchers = currencies.some((currency) => currency.startsWith('ibc/'))
  const named = useLoad(async (signal) => {
    if (!hasVouchers) return new Map<string, string>()
    const transfers = await api.listIbcTransfers({ limit: 100, ...(address !== undefined && { address }) }, { signal })
    return nameVouchers(transfers ?? [])
  }, `vouchers ${hasVouchers}`)
  return (currency) =>
    currency === 'utia' ? 'TIA' : (named.state === 'ready' && named.value.get(currency)) || shorten(currency, 12, 6)
}
