import type { ChainSource, StateRefusal } from '../../chain/source.ts'
import { type Claim, proveState, type StateProofs, type Verdict } from '../../chain/state/prove.ts'
import type { StateRecord, StateValue } from '../../client/proof/state-record.ts'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { NodeFault } from '../../lib/errors.ts'
import type { Random } from '../../lib/random.ts'
import type { ChangedClaims } from '../../store/write/claims.ts'

/** Records were compared with the state of the chain and are the same. */
export type ProvenState = { height: number; records: number; nodes: readonly string[] }

export type ProverOptions = {
  /** records of each batch, or of each block at the tip, beside those of modules and the supply; 0: none at all */
  sample: number
  /** headers are verified, and the index has the state that they seal */
  isPossible: () => boolean
  onProven?: (proven: ProvenState) => void
  /** nodes that gave no proof, and why */
  onUnproven?: (height: number, refusals: { node: string; refusal: StateRefusal }[]) => void
  random?: Random
}

/** Heights `from`..`to` that were applied together, and whether all their records are to be proven. */
export type ProvenPart = { from: number; to: number; isDisputed: boolean }

/** The state of the chain after a height, by a signed header, is not what the index made of the heights up to it. */
export class StateRefuted extends NodeFault {
  readonly height: number
  readonly from: number
  readonly claim: Claim
  readonly appHash: string
  constructor({ claim, proven, node }: Verdict, { from, to }: ProvenPart, appHash: string) {
    const facts = { record: claim.record, indexed: textOf(claim.value), proven: textOf(proven) }
    super(
      'state_refuted',
      `${nameRecord(claim.record)} is ${facts.indexed} in the index after height ${to}, the chain has ${facts.proven}, as ${node} proves`,
      { height: to, ...facts, provenBy: node },
    )
    this.height = to
    this.from = from
    this.claim = claim
    this.appHash = appHash
  }
}

/** Nodes that gave no proof are not asked again with every block. */
const REST_MS = 30_000

/** Compares what the index makes of blocks with the state that the next header seals. */
export class StateProver {
  readonly #source: ChainSource
  readonly #options: ProverOptions
  readonly #signal: AbortSignal
  /** changed at the tip, where the next header is not there yet */
  #held: { part: ProvenPart; claims: Claim[] } | undefined
  #background: Promise<void> | undefined
  #failure: unknown
  /** a record that was refuted is asked for until the heights behind it are right again */
  #suspect: Claim['record'] | undefined
  #restUntil = 0

  constructor(source: ChainSource, options: ProverOptions, signal: AbortSignal) {
    this.#source = source
    this.#options = options
    this.#signal = signal
  }

  get isOn(): boolean {
    return this.#options.sample !== 0 && this.#options.isPossible()
  }

  /** Throws StateRefuted when the records of a part that is about to be written are not those of the chain. */
  async check(part: ProvenPart, changed: ChangedClaims, appHash: string): Promise<void> {
    await this.#prove(part, this.#choose(changed, part.isDisputed), appHash)
  }

  /** Keeps records of a part that is written before its next header is known. */
  hold(part: ProvenPart, changed: ChangedClaims): void {
    this.#held = { part, claims: this.#choose(changed, part.isDisputed) }
  }

  /** The header above the part that was held back is known and signed: it is proven while the index continues. */
  release(height: number, appHash: string, isDisputed: boolean): void {
    const held = this.#held
    this.#held = undefined
    if (!held || held.part.to !== height - 1 || this.#background) return
    const part = { ...held.part, isDisputed: held.part.isDisputed || isDisputed }
    this.#background = this.#prove(part, held.claims, appHash)
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => {
        this.#background = undefined
      })
  }

  /** Resolves when what is being proven is; never when there is nothing. */
  idle(): Promise<void> {
    return this.#background ?? new Promise(() => {})
  }

  throwIfRefuted(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined && !this.#signal.aborted) throw failure
  }

  /** Whether the chain has what a claim says after a height; undefined when no node proves it. */
  async isRight(claim: Claim, height: number, appHash: string): Promise<boolean | undefined> {
    const { verdicts } = await proveState(this.#source, [claim], { height, appHash: fromHex(appHash) }, this.#signal)
    return verdicts[0]?.agrees
  }

  async #prove(part: ProvenPart, claims: Claim[], appHash: string): Promise<void> {
    if (claims.length === 0 || (performance.now() < this.#restUntil && !part.isDisputed)) return
    const proofs = await proveState(this.#source, claims, { height: part.to, appHash: fromHex(appHash) }, this.#signal)
    this.#report(part, proofs)
    this.#restUntil = proofs.verdicts.length > 0 ? 0 : performance.now() + REST_MS
    const refuted = proofs.verdicts.find(({ agrees }) => !agrees)
    if (!refuted) return
    this.#suspect = refuted.claim.record
    throw new StateRefuted(refuted, part, appHash)
  }

  #report({ to: height }: ProvenPart, { verdicts, unproven, refusals }: StateProofs): void {
    if (unproven.length > 0) this.#options.onUnproven?.(height, refusals)
    if (verdicts.length > 0 && verdicts.every(({ agrees }) => agrees))
      this.#options.onProven?.({ height, records: verdicts.length, nodes: [...new Set(verdicts.map(({ node }) => node))] })
  }

  #choose({ central, others }: ChangedClaims, isDisputed: boolean): Claim[] {
    const { sample, random = Math.random } = this.#options
    if (isDisputed || others.length <= sample) return [...central, ...others]
    const chosen = new Set<Claim>(others.filter(({ record }) => isSame(record, this.#suspect)))
    while (chosen.size < sample) chosen.add(others[Math.floor(random() * others.length)]!)
    return [...central, ...chosen]
  }
}

function isSame(a: StateRecord, b: StateRecord | undefined): boolean {
  return b !== undefined && JSON.stringify(a) === JSON.stringify(b)
}

function textOf(value: StateValue | undefined): string {
  if (!value) return 'nothing'
  if ('amount' in value) return String(value.amount)
  const entries = Object.entries(value).map(([name, part]) => `${name} ${part}`)
  return entries.join(', ')
}

function nameRecord(record: StateRecord): string {
  switch (record.kind) {
    case 'balance':
      return `the balance of ${encodeAddress('celestia', record.address)} in ${record.denom}`
    case 'supply':
      return `the supply of ${record.denom}`
    case 'validator':
      return `validator ${encodeAddress('celestiavaloper', record.operator)}`
    case 'delegation':
      return `the delegation of ${encodeAddress('celestia', record.delegator)} to ${encodeAddress('celestiavaloper', record.operator)}`
  }
}

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
