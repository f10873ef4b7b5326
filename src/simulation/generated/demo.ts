import type { Random } from '../../lib/random.ts'
import { chat, moves, orders, picture } from './demo-contents.ts'
import { between, type Profile } from './profile.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Validators, rollups and habits of the demo chain. */
export const DEMO_PROFILE: Profile = {
  seed: 20_261_115,
  validators: [
    { name: 'Northern Light', stake: 92_000_000_000_000n, commission: 5 },
    { name: 'Almagest', stake: 71_000_000_000_000n, commission: 10 },
    { name: 'Rete & Tympan', stake: 58_000_000_000_000n, commission: 8 },
    { name: 'Zenith Staking', stake: 40_000_000_000_000n, commission: 10 },
    { name: 'Azimuth', stake: 33_000_000_000_000n, commission: 20 },
    { name: 'Parallax Works', stake: 21_000_000_000_000n, commission: 7 },
    { name: 'Ecliptic', stake: 12_000_000_000_000n, commission: 15 },
  ],
  users: 60,
  rollups: [
    { namespace: 'demo-game', account: 'sequencer of demo-game', weight: 10, bytes: between(200, 4_000), content: moves },
    { namespace: 'demo-dex', account: 'sequencer of demo-dex', weight: 6, bytes: between(500, 9_000), content: orders },
    { namespace: 'demo-art', account: 'sequencer of demo-art', weight: 3, bytes: between(1_000, 20_000), content: picture },
    { namespace: 'demo-chat', account: 'sequencer of demo-chat', weight: 4, bytes: between(60, 900), content: chat },
    { namespace: 'demo-bank', account: 'sequencer of demo-bank', weight: 2, bytes: between(300, 6_000) },
  ],
  // What is left after the whole ones is a chance, so that quiet hours and blocks of one second have txs too.
  countTxs: (random, time, elapsed) => Math.floor(4 * busyness(time) * random() * meanTxs(elapsed) + random()),
  weights: {
    blobs: 55,
    send: 20,
    'failed-send': 2,
    delegate: 6,
    undelegate: 2,
    redelegate: 1,
    withdraw: 4,
    vote: 4,
    transfer: 3,
    relay: 3,
  },
  absent: 0.02,
  relay: { packets: 3, headerBytes: 2_000, proofBytes: 300 },
}

/**
 * A block that stands for hours holds more txs than one of a second, but not as many as all the seconds would: the further back, the
 * quieter the chain, so that the present neither dwarfs the bars of an hour or a day nor takes minutes to make.
 */
const meanTxs = (elapsed: number): number => 0.12 * Math.max(1, elapsed / 1000) ** 0.47

/** 0..1: more by day than by night, less at weekends, and some weeks better than others. */
function busyness(time: number): number {
  const day = Math.floor(time / DAY_MS)
  const wave = 0.7 + 0.3 * Math.sin(((time % DAY_MS) / DAY_MS) * 2 * Math.PI - 2)
  const isWeekend = [2, 3].includes(day % 7)
  const season = 0.8 + 0.2 * Math.sin(day / 9)
  return wave * season * (isWeekend ? 0.6 : 1)
}

/** Up to which height the chain makes a block how often: fast while it is looked at, and slow before it fills a disk. */
const PACE: readonly { until: number; intervalMs: number }[] = [
  { until: 20_000, intervalMs: 1_000 },
  { until: 60_000, intervalMs: 6_000 },
  { until: Number.POSITIVE_INFINITY, intervalMs: 30_000 },
]

/** Time from the block at this height to the next. */
export const demoInterval = (height: number): number => PACE.find(({ until }) => height < until)!.intervalMs

/** The past that a new demo chain has when it is first seen: the older, the fewer blocks. */
const PAST: readonly { until: number; step: number }[] = [
  { until: 62 * DAY_MS, step: 1.5 * HOUR_MS },
  { until: 10 * DAY_MS, step: 0.75 * HOUR_MS },
  { until: 2 * DAY_MS, step: HOUR_MS / 4 },
  { until: 3 * HOUR_MS, step: 30_000 },
  { until: 5 * 60_000, step: 3_000 },
]

export const demoGenesisTime = (now: number): number => now - PAST[0]!.until

/** When the chain with this genesis was first seen. */
export const demoStart = (genesisTime: number): number => genesisTime + PAST[0]!.until

/** Times of the blocks before `now`. They vary a little, as those of a chain do. */
export function* demoPast(now: number, random: Random): Generator<number> {
  for (const [i, { until, step }] of PAST.entries()) {
    const end = now - (PAST[i + 1]?.until ?? 0)
    for (let time = now - until + step; time < end; time += step) yield Math.round(time + step * 0.3 * (random() - 0.5))
  }
}
