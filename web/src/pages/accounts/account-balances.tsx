import type { Address, Balance } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { sumOf, totalOf, worthOf } from '../../figures/account.ts'
import { formatMoney, formatTia } from '../../format.ts'
import { Fact } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Tia } from '../../parts/values.tsx'
import { useLoad } from '../../use-load.ts'
import { useDenominations } from './use-denominations.ts'

/** What the account has in all, what that is worth, and what staking has brought it. */
export function Worth({ address: { hash, balance } }: { address: Address }) {
  const price = useLoad((signal) => api.getPrice({}, { signal }), 'price')
  const rewards = useLoad((signal) => api.getAddressSeries({ hash, name: 'rewards', timeframe: 'month' }, { signal }), 'rewards')
  const total = totalOf(balance)
  const value = worthOf(total, price.state === 'ready' ? price.value : undefined)
  return (
    <>
      <Fact name="Total">
        <Tia utia={total} /> {value !== undefined && <span class="muted">{formatMoney(value)} at the last known price</span>}
      </Fact>
      {rewards.state === 'ready' && rewards.value.length > 0 && (
        <Fact name="Rewards so far">
          <Tia utia={sumOf(rewards.value)} />
        </Fact>
      )}
    </>
  )
}

/** The native balance comes with the account; other denominations are asked for. */
export function Balances({ address: { hash, balance } }: { address: Address }) {
  const loaded = useLoad((signal) => api.listAddressBalances({ hash, limit: 100 }, { signal }), 'balances')
  const rows = loaded.state === 'ready' && loaded.value.length > 0 ? loaded.value : [balance]
  const nameOf = useDenominations(
    rows.map(({ currency }) => currency),
    hash,
  )
  return <Table caption="Balances" columns={columnsOf(nameOf)} rows={rows} keyOf={({ currency }) => currency} />
}

const amountOf = (currency: string, value: string) => (currency === 'utia' ? formatTia(value) : value)

const columnsOf = (nameOf: (currency: string) => string): Column<Balance>[] => [
  { title: 'Currency', cell: ({ currency }) => <span title={currency}>{nameOf(currency)}</span> },
  { title: 'Spendable', end: true, wide: true, cell: ({ currency, spendable }) => amountOf(currency, spendable) },
  { title: 'Delegated', end: true, wide: true, cell: ({ currency, delegated }) => amountOf(currency, delegated) },
  { title: 'Unbonding', end: true, wide: true, cell: ({ currency, unbonding }) => amountOf(currency, unbonding) },
  { title: 'Total', end: true, cell: (balance) => amountOf(balance.currency, totalOf(balance)) },
]
