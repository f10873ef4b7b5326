import assert from 'node:assert/strict'
import type { Client } from '../../../src/client/client.ts'
import type { BlobLog } from '../../../src/client/gen/operations.ts'

/** A place, and a text that is only there when its data is. */
export type Place = { name: string; address: string; shows: string[] }

/** Real things of the recorded chain, found through the client. */
export async function findPlaces(client: Client): Promise<Place[]> {
  const [failed] = await client.listTxs({ status: ['failed'], limit: 1 })
  const [paid] = await client.listTxs({ msg_type: ['MsgPayForBlobs'], status: ['success'], sort: 'desc', limit: 1 })
  const [sent] = await client.listTxs({ msg_type: ['MsgSend'], sort: 'desc', limit: 1 })
  const [namespace] = await client.listNamespaces({ sort_by: 'size', limit: 1 })
  const [rollup] = await client.listRollups({ limit: 1 })
  const [validator] = await client.listValidators({ limit: 1 })
  const [proposal] = await client.listProposals({ status: ['applied'], limit: 1 })
  assert.ok(proposal && failed && paid && sent && namespace && rollup && validator)
  const blob = (await client.listTxBlobs({ hash: paid.hash, limit: 1 }))?.[0]
  assert.ok(blob)
  const signer = paid.signers?.[0]?.hash ?? ''
  return [
    {
      name: 'overview',
      address: '',
      shows: ['Latest block', 'Recent blocks', 'Latest data', validator.moniker, namespace.name],
    },
    { name: 'blocks', address: 'blocks', shows: [validator.moniker] },
    { name: 'block', address: `block/${paid.height}`, shows: ['Data square', 'Tail padding', 'Pay-for-blob transactions'] },
    { name: 'block-blobs', address: `block/${paid.height}?tab=blobs`, shows: ['Signer'] },
    { name: 'block-events', address: `block/${paid.height}?tab=events`, shows: ['mint'] },
    { name: 'block-header', address: `block/${paid.height}?tab=header`, shows: ['Consensus parameters'] },
    { name: 'transactions', address: 'txs', shows: ['Pay For Blobs'] },
    { name: 'tx-send', address: `tx/${sent.hash}`, shows: ['sends', 'From address', 'To address'] },
    { name: 'tx-blobs', address: `tx/${paid.hash}?tab=blobs`, shows: ['Content'] },
    { name: 'tx-paid', address: `tx/${paid.hash}`, shows: ['posts', 'Blob sizes', 'KiB'] },
    { name: 'tx-events', address: `tx/${paid.hash}?tab=events`, shows: ['coin_spent', ' TIA'] },
    { name: 'blob', address: blobPlace(blob), shows: ['Commitment', blob.content_type, 'Download'] },
    { name: 'tx-failed', address: `tx/${failed.hash}`, shows: ['It failed'] },
    { name: 'accounts', address: 'addresses', shows: ['TIA'] },
    { name: 'account', address: `address/${signer}`, shows: ['Spendable', 'Over time', 'Pay For Blobs'] },
    { name: 'account-staking', address: `address/${validator.delegator.hash}?tab=staking`, shows: [validator.moniker] },
    { name: 'account-messages', address: `address/${validator.delegator.hash}?tab=messages`, shows: ['Role'] },
    { name: 'namespaces', address: 'namespaces', shows: [namespace.name] },
    { name: 'namespace', address: `namespace/${namespace.namespace_id}/0`, shows: [namespace.hash, 'Use over time'] },
    { name: 'validators', address: 'validators', shows: [validator.moniker, 'Jailed', '%'] },
    { name: 'validator', address: `validator/${validator.id}`, shows: ['Scores', 'Delegators', validator.cons_address] },
    { name: 'rollups', address: 'rollups', shows: [rollup.name, 'Rollups over time', 'Size by group'] },
    { name: 'rollup', address: `rollup/${rollup.slug}`, shows: ['When it posts', 'Blobs'] },
    { name: 'statistics', address: 'statistics', shows: ['Blob data', 'Stake by validator'] },
    { name: 'gas', address: 'gas', shows: ['gas for', 'Median'] },
    { name: 'blobs', address: 'blobs', shows: ['Namespace', 'JSON', 'CSV'] },
    { name: 'blobs-largest', address: 'blobs?order=size', shows: ['largest first'] },
    { name: 'governance', address: 'governance', shows: [proposal.title, 'Deposit'] },
    { name: 'proposal', address: `proposal/${proposal.id}`, shows: ['Tally', 'Turnout', 'Votes'] },
    { name: 'upgrades', address: 'upgrades', shows: ['Signals of validators'] },
    { name: 'upgrade', address: 'upgrade/10', shows: ['Signals for it'] },
    { name: 'forwarding', address: 'forwarding', shows: ['Forwarded transfers'] },
    ...['', 'channels', 'connections', 'clients', 'chains', 'relayers'].map((tab) => ({
      name: `ibc-${tab || 'transfers'}`,
      address: `ibc?tab=${tab}`,
      shows: ['Transfers', 'Channels'],
    })),
    ...['', 'tokens', 'mailboxes', 'igps', 'zkisms', 'chains'].map((tab) => ({
      name: `hyperlane-${tab || 'transfers'}`,
      address: `hyperlane?tab=${tab}`,
      shows: ['Transfers over time', 'Mailboxes'],
    })),
    { name: 'network', address: 'network', shows: ['Parameters of', 'Newest block'] },
    ...(await findThings(client)),
    { name: 'plans', address: 'plans', shows: ['Points per second', 'free'] },
    {
      name: 'data',
      address: 'data',
      shows: ['uptime_hours', 'bytes of all blobs', 'astrolabe export ./data --datasets votes --format parquet'],
    },
    { name: 'webhooks', address: 'webhooks', shows: ['API key', 'stored nowhere'] },
    { name: 'search', address: 'search?q=observatory', shows: ['Validator', validator.moniker] },
    { name: 'no-such-page', address: 'block/nowhere', shows: ['No such page'] },
  ]
}

/** Objects of other chains in the recording: one of each kind. */
async function findThings(client: Client): Promise<Place[]> {
  const [channel] = await client.listIbcChannels({ limit: 1 })
  const [connection] = await client.listIbcConnections({ limit: 1 })
  const ibcClient = (await client.listIbcClients({ limit: 1 }))?.[0]
  const transfer = (await client.listIbcTransfers({ limit: 1 }))?.[0]
  const [mailbox] = await client.listHyperlaneMailboxes({ limit: 1 })
  const [token] = await client.listHyperlaneTokens({ limit: 1 })
  const [warp] = await client.listHyperlaneTransfers({ limit: 1 })
  const [igp] = await client.listHyperlaneIgps({ limit: 1 })
  const [zkism] = await client.listZkisms({ limit: 1 })
  const [forwarding] = await client.listForwardings({ limit: 1 })
  const things: [name: string, address: string | undefined][] = [
    ['ibc-channel', channel && `ibc/channel/${channel.id}`],
    ['ibc-connection', connection && `ibc/connection/${connection.id}`],
    ['ibc-client', ibcClient && `ibc/client/${ibcClient.id}`],
    ['ibc-transfer', transfer && `ibc/transfer/${transfer.id}`],
    ['hyperlane-mailbox', mailbox && `hyperlane/mailbox/${mailbox.mailbox}`],
    ['hyperlane-token', token && `hyperlane/token/${token.token_id}`],
    ['hyperlane-transfer', warp && `hyperlane/transfer/${warp.id}`],
    ['hyperlane-domain', warp?.counterparty.domain ? `hyperlane/domain/${warp.counterparty.domain}` : undefined],
    ['hyperlane-igp', igp && `hyperlane/igp/${igp.igp_id}`],
    ['hyperlane-zkism', zkism && `hyperlane/zkism/${zkism.id}`],
    ['forwarding-one', forwarding && `forwarding/${forwarding.id}`],
  ]
  return things.flatMap(([name, address]) =>
    address ? [{ name, address, shows: [name === 'hyperlane-domain' ? 'Transfers' : 'Summary'] }] : [],
  )
}

const blobPlace = ({ height, namespace, commitment }: BlobLog) =>
  ['blob', height, encodeURIComponent(namespace!.hash), encodeURIComponent(commitment)].join('/')
