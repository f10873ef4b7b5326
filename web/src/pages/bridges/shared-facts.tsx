import type { ShortAddress } from '../../../../src/client/gen/operations.ts'
import { formatCoin } from '../../format.ts'
import { Fact } from '../../parts/panels.tsx'
import { AddressLink, BlockLink, Hash, Moment, TxLink } from '../../parts/values.tsx'

type EventProps = { name: string; time: string; height: number; hash?: string | undefined }

/** When something happened, and in which block and transaction. */
export const EventFact = ({ name, time, height, hash }: EventProps) => (
  <Fact name={name}>
    <Moment time={time} /> <span class="muted">in block</span> <BlockLink height={height} />
    {hash && (
      <>
        {' '}
        <span class="muted">by</span> <TxLink hash={hash} copy />
      </>
    )}
  </Fact>
)

export const AccountFact = ({ name, address }: { name: string; address: ShortAddress | undefined }) =>
  address ? (
    <Fact name={name}>
      <AddressLink address={address} whole copy />
    </Fact>
  ) : null

export const CoinFact = ({ name, amount, denom }: { name: string; amount: string; denom: string }) => (
  <Fact name={name}>
    <span class="number break">{formatCoin(amount, denom)}</span>
  </Fact>
)

/** Ids and hashes of the other side; none where it has not been set. */
export const HashFact = ({ name, value, href }: { name: string; value: string | undefined; href?: string }) =>
  value ? (
    <Fact name={name}>
      <Hash value={value} what={name.toLowerCase()} whole {...(href && { href })} />
    </Fact>
  ) : null
