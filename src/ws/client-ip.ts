import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/** Names the client behind a request: an IPv4 address, or the /64 that an IPv6 client can choose from. */
export type ClientNamer = (request: IncomingMessage) => string

/** `X-Forwarded-For` counts only as far as the proxies that wrote it are trusted: addresses or CIDRs. */
export function createClientNamer(trustedProxies: readonly string[] = []): ClientNamer {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

  return (request) => {
    let address = toPlain(request.socket.remoteAddress ?? '')
    const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
    while (isTrusted(address)) {
      const before = toPlain(forwarded.pop()?.trim() ?? '')
      if (before === '') break
      address = before
    }
    return isIPv6(address) ? `${expandPrefix(address)}::/64` : address
  }
}

/** `::ffff:10.0.0.1` is 10.0.0.1. */
function toPlain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** The first four groups of an IPv6 address. */
function expandPrefix(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':')
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0'), ...after)
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
