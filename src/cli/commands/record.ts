import { type Command, Option } from 'commander'
import { recordChain } from '../../chain/record.ts'
import { createRpcSource } from '../../chain/rpc/source.ts'
import { LOG_LEVELS } from '../../config/schema.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { readCount } from '../wiring/options.ts'
import { runCommand } from '../wiring/runtime.ts'
import { createNodeLog } from '../wiring/source.ts'

type RecordOptions = { rpc: string; from?: number; to?: number; logLevel: string }

export function registerRecordCommand(program: Command): void {
  program
    .command('record')
    .argument('<dir>', 'folder of the recording')
    .description('save the blocks of a node as a recording; resumes where an earlier run stopped')
    .requiredOption('--rpc <urls>', 'consensus node RPC addresses, comma-separated')
    .option('--from <height>', 'first height of a new recording', readCount)
    .option('--to <height>', 'last height (default: the head of the node)', readCount)
    .addOption(new Option('--log-level <level>', 'how much to log').choices(LOG_LEVELS).default('info'))
    .action((dir: string, options: RecordOptions) =>
      runCommand(options.logLevel, async ({ log, signal }) => {
        const source = createRpcSource({ urls: options.rpc.split(','), log: createNodeLog(log) })
        const progress = new ProgressLine('record', log)
        try {
          const { from, to, txs } = await recordChain(source, dir, {
            ...(options.from !== undefined && { from: options.from }),
            ...(options.to !== undefined && { to: options.to }),
            onProgress: ({ height, to: target }) => progress.show({ height, target }),
            signal,
          })
          progress.end()
          process.stdout.write(
            to < from ? `nothing new: ${dir} ends at ${to}\n` : `heights ${from} to ${to} with ${txs} txs are in ${dir}\n`,
          )
        } finally {
          await source.close()
        }
      }),
    )
}
