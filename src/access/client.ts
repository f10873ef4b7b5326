import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { createAddressTest } from '../config/address-range.ts'

/** Tells the address of a client: that of the socket, or the one a trusted proxy names. */
export type ClientAddress = (socketAddress: string | undefined, headers: IncomingHttpHeaders) => string

const MAX_HOPS = 20

/** X-Forwarded-For is read from its end for as long as the hop that wrote it is trusted: what a client wrote itself comes before. */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createAddressTest(trustedProxies)
  return (socketAddress, headers) => {
    let address = plainAddress(socketAddress ?? '')
    const forwarded = headers['x-forwarded-for']
    if (trustedProxies.length === 0 || forwarded === undefined || address === '') return address
    const hops = String(forwarded).split(',').slice(-MAX_HOPS)
    while (isTrusted(address)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '')
      if (hop === '') break
      address = hop
    }
    return address
  }
}

/** An IPv4 address that came over an IPv6 socket is the same client as over an IPv4 one; what is no address is ''. */
function plainAddress(text: string): string {
  const address = text.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '')
  return isIP(address) === 0 ? '' : address
}

/** Key of a shared limit: an IPv4 address, or the /64 network of an IPv6 one, of which a client has all addresses. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    // An IPv4 part at the end stands for two groups.
    const missing = 8 - groups.length - rest.length - (tail.includes('.') ? 1 : 0)
    groups.push(...Array.from({ length: Math.max(0, missing) }, () => '0'), ...rest)
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^127\./.test(address)
}

/** An address for the log: enough to see patterns, not enough to find a person. */
export function truncateAddress(address: string): string {
  return address.includes(':') ? networkOf(address) : address.replace(/\.\d+$/, '.0')
}
