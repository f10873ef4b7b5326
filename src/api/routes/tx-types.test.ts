import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Action, aBlock, aGenesis, aMessage, anAccount, aTx } from '../../../test/builders.ts'
import { indexBlocks } from '../../../test/support/built-chain.ts'
import { type ServedChain, serveChain } from '../../../test/support/served-chain.ts'
import { MsgSendSchema } from '../../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { MsgSetWithdrawAddressSchema } from '../../decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { MsgVoteSchema } from '../../decode/gen/cosmos/gov/v1/types_pb.ts'

const alice = anAccount('alice')
const send: Action = { message: aMessage(MsgSendSchema, { fromAddress: alice.text, toAddress: alice.text }) }
const vote: Action = { message: aMessage(MsgVoteSchema, { voter: alice.text, proposalId: 9n }) }
const redirect: Action = {
  message: aMessage(MsgSetWithdrawAddressSchema, { delegatorAddress: alice.text, withdrawAddress: alice.text }),
}

const TXS: { memo: string; actions: Action[]; code?: number }[] = [
  { memo: 'send', actions: [send] },
  { memo: 'send send', actions: [send, send] },
  { memo: 'send vote', actions: [send, vote] },
  { memo: 'vote', actions: [vote] },
  { memo: 'vote redirect', actions: [vote, redirect] },
  { memo: 'redirect send failed', actions: [redirect, send], code: 5 },
  { memo: 'redirect vote send', actions: [redirect, vote, send] },
]

let api: ServedChain
before(async () => {
  const txs = TXS.map((spec) => aTx({ from: alice.text, ...spec }))
  const genesis = aGenesis({ balances: { [alice.text]: 1_000_000n } })
  const { url, close } = await indexBlocks(genesis, [aBlock(1, { txs: txs.slice(0, 4) }), aBlock(2, { txs: txs.slice(4) })])
  await close()
  api = await serveChain(url)
})
after(() => api.close())

const NAMES: Record<string, string> = { send: 'MsgSend', vote: 'MsgVote', redirect: 'MsgSetWithdrawAddress' }

test('a wanted type that is excluded needs another one beside it', async () => {
  const words = Object.keys(NAMES)
  const sets = [...words.map((word) => [word]), ['send', 'vote'], ['vote', 'redirect'], words]
  const toTypes = (set: string[]) => set.map((word) => NAMES[word]).join()
  for (const wanted of sets)
    for (const excluded of sets)
      for (const status of ['', '&status=success', '&status=failed']) {
        const found = TXS.filter(({ memo, code }) => {
          const held = memo.split(' ').filter((word) => word in NAMES)
          const isStatus = status === '' || status.endsWith('failed') === (code !== undefined)
          return isStatus && held.some((word) => wanted.includes(word)) && held.some((word) => !excluded.includes(word))
        })
        const query = `msg_type=${toTypes(wanted)}&excluded_msg_type=${toTypes(excluded)}${status}`
        const memos = async (more: string) => (await api.list(`/tx?${query}${more}`)).map(({ memo }) => memo)
        const all = found.map(({ memo }) => memo)
        assert.deepEqual(await memos(''), all, query)
        assert.deepEqual(await memos('&sort=desc&limit=2&offset=1'), all.toReversed().slice(1, 3), query)
      }
})
