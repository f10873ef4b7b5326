/** A transfer of IBC as far as it names what came in. */
type Arrival = { port: string; channel_id: string; denom: string }

/** Denominations that transfers brought here by the name the chain gives them: `ibc/` and the hash of the way they came. */
export async function nameVouchers(arrivals: readonly Arrival[]): Promise<Map<string, string>> {
  const ways = new Map(
    arrivals.map(({ port, channel_id, denom }) => [`${port}/${channel_id}/${denom}`, `${denom} via ${channel_id}`]),
  )
  // Pages that do not come over TLS may not hash.
  if (globalThis.crypto?.subtle === undefined) return new Map()
  const named = [...ways].map(async ([way, name]) => [await voucherOf(way), name] as const)
  return new Map(await Promise.all(named))
}

async function voucherOf(way: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(way))
  const digits = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `ibc/${digits.toUpperCase()}`
}
