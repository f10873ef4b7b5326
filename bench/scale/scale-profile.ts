import { between, type Profile } from '../../src/simulation/generated/profile.ts'

/**
 * A chain that grows in every way that a long one does: accounts, namespaces and delegations keep coming. Blocks are small and have few
 * signatures, so that making one costs less than indexing it.
 */
export const SCALE_PROFILE: Profile = {
  seed: 1_000_000,
  validators: Array.from({ length: 5 }, (_, i) => ({
    name: `validator ${i + 1}`,
    stake: BigInt(Math.round(60_000_000_000_000 * 0.8 ** i)),
    commission: 5 + i,
  })),
  users: 2_000,
  newcomers: 0.15,
  rollups: Array.from({ length: 24 }, (_, i) => ({
    namespace: `rollup ${i + 1}`,
    account: `poster of rollup ${i + 1}`,
    weight: 24 - i,
    bytes: between(60, 450),
    fresh: 0.01,
  })),
  // Some draws cannot be done just then, so a little more than five are tried.
  countTxs: (random) => 2 + Math.floor(7.2 * random()),
  weights: {
    blobs: 55,
    send: 24,
    'failed-send': 1,
    delegate: 6,
    undelegate: 2,
    redelegate: 1,
    withdraw: 5,
    vote: 1,
    transfer: 3,
    relay: 2,
  },
  absent: 0.02,
  relay: { packets: 3, headerBytes: 500, proofBytes: 100 },
}
