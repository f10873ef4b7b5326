import { between, type Profile } from '../../src/simulation/generated/profile.ts'

/**
 * A chain shaped like the main network: a hundred validators that all sign, a third of them with liveness events, relayers with large
 * headers, blobs of 1 kB to 8 MB (large ones seldom).
 */
export const MAINNET_PROFILE: Profile = {
  seed: 8_880_520,
  validators: Array.from({ length: 100 }, (_, i) => ({
    name: `validator ${i + 1}`,
    stake: BigInt(Math.round(60_000_000_000_000 * 0.96 ** i)),
    commission: 5 + (i % 16),
  })),
  users: 2_000,
  rollups: [
    { namespace: 'small', account: 'poster of small', weight: 70, bytes: between(1_000, 8_000) },
    { namespace: 'middle', account: 'poster of middle', weight: 25, bytes: between(8_000, 120_000) },
    { namespace: 'large', account: 'poster of large', weight: 4, bytes: between(120_000, 1_000_000) },
    { namespace: 'huge', account: 'poster of huge', weight: 0.3, bytes: between(1_000_000, 8_000_000) },
  ],
  countTxs: (random) => 3 + Math.floor(9 * random()),
  weights: {
    blobs: 60,
    send: 10,
    'failed-send': 1,
    delegate: 6,
    undelegate: 2,
    redelegate: 2,
    withdraw: 8,
    vote: 2,
    transfer: 4,
    relay: 8,
  },
  absent: 0.35,
  relay: { packets: 7, headerBytes: 22_000, proofBytes: 900 },
}
