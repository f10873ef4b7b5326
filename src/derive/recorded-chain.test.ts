import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseRawBlock } from '../chain/parse.ts'
import { openRecording, readBlockFile, readGenesis } from '../chain/recording/reader.ts'
import { formatDec } from '../decode/scalar-text.ts'
import { encodeAddress } from '../lib/encoding/bech32.ts'
import { packagePath } from '../lib/package-path.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { ConstantChange } from '../types/effects.ts'
import { deriveBlock } from './block.ts'
import { deriveGenesis } from './genesis.ts'

const derived = new Map<string, Promise<BlockFacts[]>>()

function derivedOnce(name: string): Promise<BlockFacts[]> {
  const known = derived.get(name) ?? deriveRecording(name)
  derived.set(name, known)
  return known
}

async function deriveRecording(name: string): Promise<BlockFacts[]> {
  const recording = await openRecording(packagePath('data/recordings', name))
  const { facts, chainId, initialHeight } = deriveGenesis(JSON.parse(Buffer.from(await readGenesis(recording)).toString()))
  const blocks = [facts]
  for (const file of recording.files) {
    for await (const chunk of readBlockFile(recording, file, {
      from: initialHeight,
      to: recording.manifest.to,
      chunkBytes: 1 << 20,
    })) {
      for (const raw of chunk) blocks.push(deriveBlock(parseRawBlock(raw, { chainId })))
    }
  }
  return blocks
}

type Truth = {
  denom_owners: { address: string; amount: string }[]
  supply: { denom: string; amount: string }[]
  proposals: { id: string; title: string; summary: string; proposer: string }[]
}

const add = (sums: Map<string, bigint>, key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount)

for (const name of readdirSync(packagePath('data/recordings'))) {
  describe(`the recorded chain ${name}`, () => {
    const truth = JSON.parse(readFileSync(packagePath('data/recordings', name, 'truth.json'), 'utf8')) as Truth
    let blocks: BlockFacts[]
    before(async () => {
      blocks = await derivedOnce(name)
    })

    test('leaves every balance and supply as its node reported them, and none below zero on the way', () => {
      const balances = new Map<string, bigint>()
      const held = new Map<string, bigint>()
      const supply = new Map<string, bigint>()
      for (const { header, coins, supply: changes } of blocks) {
        for (const { address, denom, delta } of coins) {
          add(balances, `${address} ${denom}`, delta)
          add(held, denom, delta)
          assert.ok(balances.get(`${address} ${denom}`)! >= 0n, `${address} ${denom} after ${header.height}`)
        }
        for (const { denom, delta } of changes) add(supply, denom, delta)
        assert.deepEqual(held, supply, `after ${header.height} the balances of each denom sum up to its supply`)
      }
      assert.deepEqual(
        [...supply].map(([denom, amount]) => ({ denom, amount: String(amount) })).sort((a, b) => a.denom.localeCompare(b.denom)),
        truth.supply,
      )
      const owners = new Map(truth.denom_owners.map(({ address, amount }) => [address, amount]))
      for (const [key, amount] of balances) {
        const [address, denom] = key.split(' ') as [string, string]
        if (denom === 'utia') assert.equal(String(amount), owners.get(encodeAddress('celestia', address)) ?? '0', address)
      }
    })

    test('is understood to the last message', () => {
      for (const { header, unknownMessages, undecodableTxs } of blocks) {
        assert.deepEqual([unknownMessages, undecodableTxs], [[], 0], `at ${header.height}`)
      }
    })

    test('names every account of a block before it is used', () => {
      for (const { addresses, txs, messages, coins, header } of blocks) {
        const known = new Set(addresses)
        assert.equal(known.size, addresses.length)
        const used = [
          ...txs.flatMap(({ signers, blobs }) => [...signers, ...blobs.map(({ signer }) => signer)]),
          ...messages.flatMap(({ links }) => links.map(([address]) => address)),
          ...coins.map(({ address }) => address),
        ]
        for (const address of used) assert.ok(known.has(address), `${address} at ${header.height}`)
      }
    })

    test('splits every fee over blobs without a remainder', () => {
      for (const { txs } of blocks) {
        for (const { blobs, feeUtia } of txs) {
          if (blobs.length === 0) continue
          assert.equal(
            blobs.reduce((sum, { fee }) => sum + fee, 0n),
            feeUtia * 10n ** 18n,
          )
          assert.ok(blobs.every(({ fee }) => fee > 0n))
        }
      }
    })

    test('submits the proposals that its node knows', () => {
      const submitted = blocks.flatMap(({ effects }) => effects.filter((effect) => effect.kind === 'submit-proposal'))
      for (const { id, title, summary, proposer } of truth.proposals) {
        const ours = submitted.find((proposal) => proposal.id === Number(id))!
        assert.deepEqual([ours.title, ours.description, encodeAddress('celestia', ours.proposer)], [title, summary, proposer])
      }
    })
  })
}

type Answer = { url: string; body: Record<string, unknown> }

describe('the answers of the reference for the recorded main chain', () => {
  const answers = gunzipSync(readFileSync(packagePath('test/fixtures/reference.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
  let blocks: BlockFacts[]
  before(async () => {
    blocks = await derivedOnce('devnet')
  })

  const plain = (decimal: string) => decimal.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')

  test('agree with the statistics of blocks', () => {
    let compared = 0
    for (const { url, body } of answers) {
      const height = /^\/v1\/block\/(\d+)\/stats$/.exec(url)?.[1]
      if (height === undefined || typeof body.tx_count !== 'number') continue
      const { stats } = blocks[Number(height)]!
      const { block_time, fill_rate, ...expected } = body
      assert.deepEqual(
        {
          tx_count: stats.txCount,
          events_count: stats.eventsCount,
          blobs_size: stats.blobsSize,
          blobs_count: stats.blobsCount,
          fee: String(stats.feeUtia),
          supply_change: String(stats.supplyChange),
          inflation_rate: plain(formatDec(String(stats.inflationRate))),
          rewards: plain(formatDec(String(stats.rewards))),
          commissions: plain(formatDec(String(stats.commissions))),
          gas_limit: Number(stats.gasLimit),
          gas_used: Number(stats.gasUsed),
          bytes_in_block: stats.bytesInBlock,
          square_size: stats.squareSize,
        },
        expected,
        url,
      )
      compared++
    }
    assert.ok(compared > 10)
  })

  test('agree with the totals of the head', () => {
    const head = answers.find(({ url }) => url === '/v1/head')!.body
    const sum = (of: (block: BlockFacts) => bigint | number) =>
      String(blocks.reduce((total, block) => total + BigInt(of(block)), 0n))
    assert.equal(
      sum(({ stats }) => stats.txCount),
      String(head.total_tx),
    )
    assert.equal(
      sum(({ stats }) => stats.feeUtia),
      head.total_fee,
    )
    assert.equal(
      sum(({ stats }) => stats.blobsSize),
      String(head.total_blobs_size),
    )
    assert.equal(
      sum(({ stats }) => stats.supplyChange),
      head.total_supply,
    )
    assert.equal(new Set(blocks.flatMap(({ namespaces }) => namespaces)).size, head.total_namespaces)
  })

  test('agree with the constants that the genesis and a passed proposal leave', () => {
    const constants = new Map<string, string>()
    const set = (changes: readonly ConstantChange[]) => {
      for (const { module, name, value } of changes) constants.set(`${module}.${name}`, value)
    }
    const proposed = new Map<number, readonly ConstantChange[]>()
    for (const effect of blocks.flatMap(({ effects }) => effects)) {
      if (effect.kind === 'set-constants') set(effect.constants)
      if (effect.kind === 'submit-proposal') proposed.set(effect.id, effect.constants)
      if (effect.kind === 'end-proposal' && effect.result === 'passed') set(proposed.get(effect.id) ?? [])
    }
    const { module: modules } = answers.find(({ url }) => url === '/v1/constants')!.body as {
      module: Record<string, Record<string, string>>
    }
    for (const [module, values] of Object.entries(modules)) {
      // The chain has no crisis module; the reference shows an empty fee for it.
      if (module === 'crisis') continue
      for (const [name, value] of Object.entries(values))
        assert.equal(plain(constants.get(`${module}.${name}`) ?? ''), value, `${module}.${name}`)
    }
  })

  test('agree with the first and last height of accounts', () => {
    const heights = new Map<string, [number, number]>()
    for (const { header, coins, messages } of blocks) {
      const touched = [
        ...coins.map(({ address }) => address),
        ...messages.flatMap(({ links }) => links.map(([address]) => address)),
      ]
      for (const address of touched)
        heights.set(encodeAddress('celestia', address), [
          heights.get(encodeAddress('celestia', address))?.[0] ?? header.height,
          header.height,
        ])
    }
    let compared = 0
    for (const { url, body } of answers) {
      if (!/^\/v1\/address\/celestia1[a-z0-9]+$/.test(url)) continue
      assert.deepEqual(heights.get(String(body.hash)), [body.first_height, body.last_height], url)
      compared++
    }
    assert.ok(compared > 10)
  })
})
