import { type Command, Option } from 'commander'
import type { Config } from '../../../config/schema.ts'
import { type CommonOptions, configOf, readCount, withCommonOptions } from '../../wiring/options.ts'
import { runCommand } from '../../wiring/runtime.ts'
import type { PeriodOptions, RefundOptions, ReportOptions } from './pay-tools.ts'

/** Payment libraries take longer to load than all the rest: only those who sell or buy wait for them. */
const loadPaid = () => import('../../wiring/paid.ts')

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
  registerReport(pay)
  registerExport(pay)
  registerRefund(pay)
}

const withPeriod = (command: Command): Command =>
  command
    .option('--days <n>', 'number of days, today included', readCount, 30)
    .option('--from <day>', 'first day (YYYY-MM-DD, UTC)')
    .option('--to <day>', 'last day')

function registerReport(pay: Command): void {
  withPeriod(
    withCommonOptions(pay.command('report').description('show what was sold, what is open, and whether ledger and chain agree')),
  )
    .option('--by <groups...>', 'day, tier, operation, payer or rail (default: day operation)')
    .addOption(new Option('--json', 'print everything as JSON').conflicts('csv'))
    .option('--csv', 'print the sales as CSV')
    .option('--no-check', 'do not compare the ledger with the payment chain')
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & ReportOptions>()
      return runTool(options, async ({ reportPaid }, config) => reportPaid(config, options))
    })
}

function registerExport(pay: Command): void {
  withPeriod(withCommonOptions(pay.command('export').description('print the ledger, one payment per line (JSON)')))
    .option('--csv', 'print CSV instead')
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & PeriodOptions & { csv?: boolean }>()
      return runTool(options, async ({ exportLedger }, config) => exportLedger(config, options))
    })
}

function registerRefund(pay: Command): void {
  withCommonOptions(pay.command('refund').description('send the price of a payment back to its payer, and record it'))
    .argument('[payment]', 'key of the payment, or its transaction')
    .option('--credits', 'all payments whose answer nobody fetched')
    .requiredOption('--key-file <file>', 'key of the wallet that pays: hex or keystore (password in PAID_REFUND_KEY_PASSWORD)')
    .action((name: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & RefundOptions>()
      return runTool(options, async ({ refundPaid }, config) => refundPaid(config, name, options))
    })
}

type Tools = typeof import('./pay-tools.ts')

function runTool(options: CommonOptions, work: (tools: Tools, config: Config) => Promise<void>): Promise<void> {
  const config = configOf(options)
  return runCommand(config.log_level, async () => work(await import('./pay-tools.ts'), config))
}
