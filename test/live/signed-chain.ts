import { type BlockSpec, type ForgedBlock, forgeBlock } from '../../src/simulation/node/forge.ts'
import { makeSigner, type Signer, signBlocks } from '../../src/simulation/node/sign.ts'
import { aGenesis, anAccount, aValidator, blockTime, CHAIN_ID } from '../builders.ts'

/** A chain of empty blocks whose validators' keys we hold. `carol` joins with the update that block 10 returns. */
export const LENGTH = 40
export const JOINED_AT = 10
const FIRST = [makeSigner('alice', 10n), makeSigner('bob', 10n)]
const CAROL = makeSigner('carol', 25n)

/** Updates count two heights later. */
export const validatorsAt = (height: number): Signer[] => (height >= JOINED_AT + 2 ? [...FIRST, CAROL] : FIRST)

/** `hasCarol`: as a node exports it after carol has joined. */
export function makeGenesis({ hasCarol = false } = {}): Buffer {
  const signers = hasCarol ? [...FIRST, CAROL] : FIRST
  const names = ['alice', 'bob', 'carol'].slice(0, signers.length)
  const balances = Object.fromEntries(names.map((name) => [anAccount(name).text, 50_000_000n]))
  const genesis = aGenesis({
    balances,
    validators: names.map((name, i) => ({ name, stake: signers[i]!.power * 1_000_000n })),
  })
  const keyOf = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
  let text = JSON.stringify(genesis)
  for (const [i, name] of names.entries())
    text = text.replace(Buffer.from(aValidator(name).key).toString('base64'), keyOf(signers[i]!.publicKey))
  return Buffer.from(text)
}

/** Heights `from` to `LENGTH`, not signed yet. `change` is what the first of them has instead. */
export function makeBlocks(from = 1, change: Partial<BlockSpec> = {}): ForgedBlock[] {
  return Array.from({ length: LENGTH - from + 1 }, (_, i) => {
    const height = from + i
    const spec = { chainId: CHAIN_ID, height, time: blockTime(height), proposer: FIRST[0]!.address }
    const joins = { ed25519: Buffer.from(CAROL.publicKey, 'hex').toString('base64') }
    return forgeBlock({
      ...spec,
      ...(i === 0 && change),
      ...(height === JOINED_AT && {
        validatorUpdates: [{ pub_key: { Sum: { type: 'tendermint.crypto.PublicKey_Ed25519', value: joins } }, power: '25' }],
      }),
    })
  })
}

export function makeSignedChain(): ForgedBlock[] {
  const blocks = makeBlocks()
  signBlocks(blocks, { validators: validatorsAt })
  return blocks
}
