import { existsSync, readFileSync } from 'node:fs'
import { packagePath } from '../src/lib/package-path.ts'
import { calibrate } from './harness/calibration.ts'
import { forkIndexer } from './harness/fork-indexer.ts'
import { printTable } from './harness/measure.ts'
import type { IngestRun } from './ingest/ingest-run.ts'

type Measured = 'indexerMsPerTx' | 'postgresMsPerTx' | 'memoryMb' | 'databaseMb'
type Reference = Record<Measured, [best: number, worst: number]>

/** Ours against the reference indexer on the same recording, by CPU time. Arguments: rounds (3), decode threads (1). */
export async function run(args: string[]): Promise<void> {
  const folder = packagePath('../shared/chain/bulk')
  if (!existsSync(folder)) {
    console.log(`skipped: the reference was measured on a recording that is not here (${folder})`)
    return
  }
  const reference = JSON.parse(readFileSync(packagePath('bench/harness/reference.json'), 'utf8')) as Reference
  const rounds: (Record<Measured, number> & { unit: number })[] = []
  for (let i = 0; i < Number(args[0] ?? 3); i++) {
    const unit = calibrate()
    rounds.push({ unit, ...toFigures(await forkIndexer<IngestRun>('ingest/ingest-process.js', [folder, args[1] ?? '1'])) })
  }
  printTable(
    'rounds',
    rounds.map(({ unit, indexerMsPerTx, postgresMsPerTx, memoryMb }) => ({
      'calibration, ms CPU': unit.toFixed(1),
      'CPU ms/tx': (indexerMsPerTx + postgresMsPerTx).toFixed(3),
      'of which PostgreSQL': postgresMsPerTx.toFixed(3),
      'CPU per tx in calibrations': ((indexerMsPerTx + postgresMsPerTx) / unit).toFixed(5),
      'memory MB': Math.round(memoryMb),
    })),
  )
  const measured = ['indexerMsPerTx', 'postgresMsPerTx', 'memoryMb', 'databaseMb'] as const
  printTable(
    'ingest, best to worst',
    measured.map((name) => {
      const ours = rounds.map((round) => round[name])
      const [best, worst] = [Math.min(...ours), Math.max(...ours)]
      const [theirBest, theirWorst] = reference[name]
      return {
        figure: name,
        ours: `${show(best)} to ${show(worst)}`,
        reference: `${show(theirBest)} to ${show(theirWorst)}`,
        'times less': `${(theirBest / worst).toFixed(1)} to ${(theirWorst / best).toFixed(1)}`,
      }
    }),
  )
}

const show = (value: number) => (value < 10 ? value.toFixed(3) : String(Math.round(value)))

function toFigures({ cpu, txs, peakMemory, bytes }: IngestRun): Record<Measured, number> {
  return {
    indexerMsPerTx: ((cpu.main + cpu.decode) * 1000) / txs,
    postgresMsPerTx: (cpu.postgres * 1000) / txs,
    memoryMb: peakMemory / 1e6,
    databaseMb: bytes / 1e6,
  }
}
