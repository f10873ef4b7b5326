import { linkHere } from '../router.ts'
import { Choice } from './panels.tsx'

type Orders<T extends string> = readonly (readonly [T, string])[]

/** By what a list is sorted: the first order stands without a name in the address. */
export const readOrder = <T extends string>(orders: Orders<T>, query: URLSearchParams): T =>
  orders.find(([name]) => name === query.get('order'))?.[0] ?? orders[0]![0]

export const Order = <T extends string>({ orders, chosen }: { orders: Orders<T>; chosen: T }) => (
  <Choice
    label="Order"
    options={orders.map(([value, name], i) => ({
      name,
      href: linkHere({ order: i === 0 ? undefined : value, page: undefined }),
      isChosen: value === chosen,
    }))}
  />
)
