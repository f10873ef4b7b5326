import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devnetUrl } from '../../../test/support/database.ts'
import { type ServedChain, serveChain } from '../../../test/support/served-chain.ts'

const PROPOSER = 'celestia1qea78qpjs8u9l3y6ahanmwv4jzpu9lhzyjx8k9'
const UNKNOWN = 'celestia1r726yra3euctv92qqfxh45xztewgp2qj9w22dg'

describe('proposals of the recorded chain', () => {
  let api: ServedChain
  before(async () => {
    api = await serveChain(devnetUrl)
  })
  after(() => api.close())

  const ids = async (query: string) => (await api.list(`/proposal?${query}`)).map((row) => row.id)

  test('the list is newest first and can be narrowed', async () => {
    assert.deepEqual(await ids(''), [4, 3, 2, 1])
    assert.deepEqual(await ids('sort=asc&limit=2&cursor=1'), [2, 3])
    assert.deepEqual(await ids('status=rejected,removed'), [4, 3])
    assert.deepEqual(await ids('status=applied&type=param_changed'), [2])
    assert.deepEqual(await ids(`proposer=${UNKNOWN}`), [])
    const mine = await api.list(`/proposal?proposer=${PROPOSER}`)
    assert.ok(mine.length > 0 && mine.every((row) => (row.proposer as { hash: string }).hash === PROPOSER))
  })

  test('a proposal that pays from the community pool says whom and how much', async () => {
    assert.deepEqual(await ids('type=community_pool_spend'), [4, 3, 1])
    const [spend] = await api.list('/proposal?type=community_pool_spend')
    const { recipient, amount } = spend!.changes as { recipient: string; amount: { denom: string; amount: string }[] }
    assert.match(recipient, /^celestia1/)
    assert.deepEqual(
      amount.map(({ denom }) => denom),
      ['utia'],
    )
  })

  test('what a proposal does not have is left out', async () => {
    const { body } = await api.get<{ total_voting_power: string }>('/proposal/4')
    for (const name of ['activation_time', 'end_time', 'quorum', 'error']) assert.ok(!(name in body), name)
    assert.equal(body.total_voting_power, '0')
    assert.equal((await api.get('/proposal/9')).status, 204)
  })

  test('the stake that can vote comes in the unit of the votes, while a vote continues and after it', async () => {
    type Tallied = { voting_power: string; total_voting_power: string; bonded_stake?: string }
    const tallyOf = async (id: number) => {
      const { body } = await api.get<Tallied>(`/proposal/${id}`)
      return [body.voting_power, body.total_voting_power, body.bonded_stake]
    }
    assert.deepEqual(await tallyOf(1), ['18100001000000', '18100001', '18100001000000'])
    assert.deepEqual(await tallyOf(4), ['0', '0', undefined], 'a proposal without enough deposit has no vote')
  })

  test('votes can be narrowed by option, kind of voter and voter', async () => {
    const all = await api.list('/proposal/3/votes')
    assert.deepEqual(
      all.slice(0, 2).map((row) => [row.status, row.weight]),
      [
        ['yes', '0.7'],
        ['abstain', '0.3'],
      ],
    )
    const matching = (wanted: (row: (typeof all)[number]) => boolean) => all.filter(wanted)
    assert.deepEqual(
      await api.list('/proposal/3/votes?option=yes,abstain'),
      matching((row) => row.status === 'yes' || row.status === 'abstain'),
    )
    assert.deepEqual(
      await api.list('/proposal/3/votes?voter=validator'),
      matching((row) => 'validator' in row),
    )
    assert.deepEqual(
      await api.list('/proposal/3/votes?voter=address'),
      matching((row) => !('validator' in row)),
    )
    assert.deepEqual(await api.list(`/proposal/3/votes?address=${PROPOSER}`), all.slice(0, 2))
    assert.deepEqual(
      (await api.list('/proposal/3/votes?validator=celestiavaloper1w4dvevy0zm70yss42h4k597at605fn38z8ezgp')).map(
        (row) => row.height,
      ),
      [198],
    )
    assert.equal((await api.get(`/proposal/3/votes?address=${UNKNOWN}`)).status, 204)
    assert.deepEqual(await api.list('/proposal/9/votes'), [])
  })

  test('votes of an account name the proposal, votes of a validator the voter', async () => {
    const [vote] = await api.list(`/address/${PROPOSER}/votes`)
    assert.deepEqual(vote!.proposal, { id: 3, status: 'rejected', title: 'Name the comet', description: 'to be vetoed' })
    assert.ok(!('voter' in vote!))
    const [validator] = await api.list('/validators?limit=1')
    const votes = await api.list(`/validators/${validator!.id}/votes`)
    assert.ok(votes.every((row) => 'voter' in row && !('proposal' in row) && !('validator' in row)))
    assert.deepEqual(await api.list(`/validators/${validator!.id}/votes?cursor=${votes[0]!.id}`), votes.slice(1))
  })
})
