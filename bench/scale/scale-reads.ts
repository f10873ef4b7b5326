import { type MeanCost, meanOf, type ReadCost, type ReadOptions, startReadServer, totalCpu } from '../read/read-load.ts'

const ROUNDS = 3

/** An index, and paths of each class that it has answers for. */
export type ReadTarget = { height: number; classes: Record<string, string[]>; options: ReadOptions }

export type ReadGrowth = { name: string; short: MeanCost; long: MeanCost; growth: number }

/** Asks two indexes for each class in turns, so that both meet the same machine. `growth` is of the CPU per request. */
export async function readInTurns(short: ReadTarget, long: ReadTarget, seconds: number): Promise<ReadGrowth[]> {
  const targets = [short, long]
  const servers = await Promise.all(targets.map(({ options }) => startReadServer(options)))
  try {
    for (const [i, server] of servers.entries())
      await server.load(Object.values(targets[i]!.classes).flat(), { duration: Math.max(1, seconds) })
    const rows: ReadGrowth[] = []
    for (const name of Object.keys(long.classes)) {
      const turns: [ReadCost[], ReadCost[]] = [[], []]
      for (let round = 0; round < ROUNDS; round++)
        for (const [i, server] of servers.entries())
          turns[i]!.push(await server.load(targets[i]!.classes[name]!, { duration: seconds }))
      const [before, after] = [meanOf(turns[0]), meanOf(turns[1])]
      rows.push({ name, short: before, long: after, growth: totalCpu(after) / totalCpu(before) })
    }
    return rows
  } finally {
    for (const server of servers) server.stop()
  }
}
