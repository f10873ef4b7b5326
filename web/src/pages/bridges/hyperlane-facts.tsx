import type {
  ChainMetadata,
  HyperlaneIgp,
  HyperlaneIgpConfig,
  HyperlaneMailbox,
  HyperlaneToken,
  HyperlaneTransfer,
  ZkISM,
} from '../../../../src/client/gen/operations.ts'
import { formatCoin, formatInteger, formatTia } from '../../format.ts'
import { Fact } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { linkTo } from '../../router.ts'
import { AccountFact, CoinFact, EventFact, HashFact } from './shared-facts.tsx'

/** A chain by its name, and the number that stands for it. */
const Domain = ({ domain, chain }: { domain: number | undefined; chain: ChainMetadata | undefined }) => {
  if (domain === undefined) return <>{chain?.name ?? 'unknown'}</>
  const isNamed = chain !== undefined && chain.name !== String(domain)
  return (
    <>
      <a href={linkTo(['hyperlane', 'domain', domain])}>{isNamed ? chain.name : `domain ${domain}`}</a>
      {isNamed && <span class="muted"> domain {domain}</span>}
    </>
  )
}

export const mailboxFacts = (mailbox: HyperlaneMailbox) => (
  <>
    <HashFact name="Mailbox" value={mailbox.mailbox} />
    <Fact name="Domain">{mailbox.domain ?? '–'}</Fact>
    <Fact name="Messages">
      {formatInteger(mailbox.sent_messages)} sent, {formatInteger(mailbox.received_messages)} received
    </Fact>
    <EventFact name="Created" time={mailbox.time} height={mailbox.height} hash={mailbox.tx_hash} />
    <AccountFact name="Owner" address={mailbox.owner} />
    <HashFact name="Security module" value={mailbox.default_ism} />
    <HashFact name="Default hook" value={mailbox.default_hook} />
    <HashFact name="Required hook" value={mailbox.required_hook} />
  </>
)

export const tokenFacts = (token: HyperlaneToken) => (
  <>
    <Fact name="Kind">
      {token.type} <span class="muted">{token.type === 'collateral' ? 'coins of this chain, locked' : 'minted here'}</span>
    </Fact>
    <HashFact name="Token" value={token.token_id} />
    <Fact name="Denomination">
      <span class="break">{token.denom}</span>
    </Fact>
    <Fact name="Sent">
      <span class="break">{formatCoin(token.sent, token.denom)}</span>{' '}
      <span class="muted">in {formatInteger(token.sent_transfers)} transfers</span>
    </Fact>
    <Fact name="Received">
      <span class="break">{formatCoin(token.received, token.denom)}</span>{' '}
      <span class="muted">in {formatInteger(token.received_transfers)} transfers</span>
    </Fact>
    <HashFact name="Mailbox" value={token.mailbox} href={linkTo(['hyperlane', 'mailbox', token.mailbox])} />
    <EventFact name="Created" time={token.time} height={token.height} hash={token.tx_hash} />
    <AccountFact name="Owner" address={token.owner} />
  </>
)

export const hyperlaneTransferFacts = (transfer: HyperlaneTransfer) => (
  <>
    <CoinFact name="Amount" amount={transfer.received} denom={transfer.denom} />
    <AccountFact name={transfer.type === 'send' ? 'From' : 'To'} address={transfer.address} />
    <Fact name={transfer.type === 'send' ? 'To chain' : 'From chain'}>
      <Domain domain={transfer.counterparty.domain} chain={transfer.counterparty.chain_metadata} />
    </Fact>
    <HashFact name={transfer.type === 'send' ? 'To account' : 'From account'} value={transfer.counterparty.hash} />
    <EventFact name="Time" time={transfer.time} height={transfer.height} hash={transfer.tx_hash} />
    <AccountFact name="Relayer" address={transfer.relayer} />
    {transfer.gas_payment && (
      <Fact name="Gas paid">
        {formatTia(transfer.gas_payment.amount)}{' '}
        <span class="muted">for {formatInteger(Number(transfer.gas_payment.gas_amount))} gas</span>
      </Fact>
    )}
    <HashFact name="Token" value={transfer.token_id} href={linkTo(['hyperlane', 'token', transfer.token_id])} />
    <HashFact name="Mailbox" value={transfer.mailbox} href={linkTo(['hyperlane', 'mailbox', transfer.mailbox])} />
    <Fact name="Message">
      number {formatInteger(transfer.nonce)} <span class="muted">version {transfer.version}</span>
    </Fact>
    <HashFact name="Body" value={transfer.body} />
    <HashFact name="Metadata" value={transfer.metadata} />
  </>
)

const configColumns: Column<HyperlaneIgpConfig>[] = [
  {
    title: 'Chain',
    cell: ({ counterparty: { remote_domain, chain_metadata } }) => <Domain domain={remote_domain} chain={chain_metadata} />,
  },
  { title: 'Gas price', end: true, cell: ({ gas_price }) => gas_price },
  { title: 'Exchange rate', end: true, wide: true, cell: ({ token_exchange_rate }) => token_exchange_rate },
  { title: 'Extra gas', end: true, wide: true, cell: ({ gas_overhead }) => formatInteger(Number(gas_overhead)) },
]

export const igpFacts = (igp: HyperlaneIgp) => (
  <>
    <HashFact name="Paymaster" value={igp.igp_id} />
    <Fact name="Paid in">{igp.denom === 'utia' ? 'TIA' : igp.denom}</Fact>
    <EventFact name="Created" time={igp.time} height={igp.height} />
    <AccountFact name="Owner" address={igp.owner} />
  </>
)

export const IgpPrices = ({ igp }: { igp: HyperlaneIgp }) => (
  <Table
    caption="Gas prices by chain"
    columns={configColumns}
    rows={igp.configs ?? []}
    keyOf={({ counterparty }) => counterparty.remote_domain}
    empty="This paymaster has no prices yet."
  />
)

export const zkismFacts = (zkism: ZkISM) => (
  <>
    <HashFact name="ISM" value={zkism.external_id} />
    <EventFact name="Created" time={zkism.time} height={zkism.height} hash={zkism.tx_hash} />
    <AccountFact name="Creator" address={zkism.creator} />
    <HashFact name="State" value={zkism.state} />
    <HashFact name="Merkle tree" value={zkism.merkle_tree_address} />
    <HashFact name="Key of transitions" value={zkism.state_transition_vkey} />
    <HashFact name="Key of membership" value={zkism.state_membership_vkey} />
    <HashFact name="Groth16 key" value={zkism.groth16_vkey} />
  </>
)
