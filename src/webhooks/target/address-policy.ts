import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 that is not on the public internet: private, shared (CGNAT), loopback, link-local (also metadata services), tests, multicast. */
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** Of IPv6 only global unicast is public, without tunnels that hold an IPv4 address (Teredo, 6to4) and documentation. */
const OPEN_V6 = ['2000::/3']
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Which addresses may be connected to. */
export type AddressPolicy = (address: string) => boolean

/** Public addresses and those of `allowed` (addresses or CIDR ranges). */
export function createAddressPolicy(allowed: readonly string[]): AddressPolicy {
  const [closed, open, exempt] = [listOf([...CLOSED_V4, ...CLOSED_V6]), listOf(OPEN_V6), listOf(allowed)]
  return (text) => {
    const address = unmap(text)
    if (isIPv4(address)) return exempt.check(address, 'ipv4') || !closed.check(address, 'ipv4')
    if (!isIPv6(address)) return false
    return exempt.check(address, 'ipv6') || (open.check(address, 'ipv6') && !closed.check(address, 'ipv6'))
  }
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** `::ffff:127.0.0.1` and `::ffff:7f00:1` are the same IPv4 address; a zone (`%eth0`) is not part of an address. */
function unmap(text: string): string {
  const address = text.replace(/%.*$/, '')
  if (!isIPv6(address)) return address
  // The URL parser knows all ways of writing an IPv6 address and gives the shortest.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (!mapped) return short
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
