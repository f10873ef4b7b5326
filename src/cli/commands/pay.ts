import type { Command } from 'commander'
import { type CommonOptions, configOf, readCount, withCommonOptions } from '../options.ts'
import { runCommand } from '../runtime.ts'

/** Payment libraries take longer to load than all the rest: only those who sell or buy wait for them. */
const loadPaid = () => import('../paid.ts')

export function registerPayCommand(program: Command): void {
  const pay = withCommonOptions(program.command('pay').description('serve the paid surface of the main network'))
    .option('--local-chain', 'take payments on a local test chain when none is configured')
    .action((options: CommonOptions & { localChain?: boolean }) => {
      const config = configOf(options)
      return runCommand(config.log_level, async (runtime) => {
        const { servePaid } = await loadPaid()
        await servePaid(config, options.localChain ?? false, runtime)
      })
    })
  withCommonOptions(pay.command('report').description('show what was sold, what is open, and whether ledger and chain agree'))
    .option('--days <n>', 'number of days, today included', readCount, 30)
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { days: number }>()
      const config = configOf(options)
      return runCommand(config.log_level, async () => {
        const { reportPaid } = await loadPaid()
        await reportPaid(config, options.days)
      })
    })
}
