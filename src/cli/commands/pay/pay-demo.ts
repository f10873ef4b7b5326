import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { planPath } from '../../../access/plan-list.ts'
import { OperatorError } from '../../../lib/errors.ts'
import type { Purchase } from '../../../pay/local-chain/buy-once.ts'
import type { Hex } from '../../../pay/settings.ts'
import { runCommand } from '../../wiring/runtime.ts'

type DemoOptions = { url: string; plan?: string; protocol: 'mpp' | 'x402'; payerKeyFile?: string }

export function registerPayDemoCommand(program: Command): void {
  program
    .command('pay-demo')
    .description('buy one answer or a key of the paid surface with the official client, and show price, receipt and transaction')
    .argument('[path]', 'what to buy', '/v1/head')
    .option('--url <url>', 'address of the paid surface', 'http://127.0.0.1:9878')
    .addOption(new Option('--protocol <name>', 'payment protocol').choices(['mpp', 'x402']).default('mpp'))
    .option('--plan <name>', 'buy a key of this plan instead of an answer')
    .option('--payer-key-file <file>', 'file with the private key that pays; not needed on the local test chain')
    .action((path: string, options: DemoOptions) =>
      runCommand('info', async () => {
        // Loaded here, because every other command would wait for the payment libraries too.
        const [{ buyOnce }, { toKey }] = await Promise.all([
          import('../../../pay/local-chain/buy-once.ts'),
          import('../../../pay/settler-key.ts'),
        ])
        const payerKey = options.payerKeyFile === undefined ? undefined : readKey(options.payerKeyFile, toKey)
        const { plan, protocol } = options
        const url = `${options.url.replace(/\/+$/, '')}${plan === undefined ? path : planPath(plan)}`
        const method = plan === undefined ? 'GET' : 'POST'
        process.stdout.write(describe(`${method} ${url}`, protocol, await buyOnce({ url, method, protocol, payerKey })))
      }),
    )
}

function readKey(file: string, toKey: (text: string, file: string) => Hex): Hex {
  try {
    return toKey(readFileSync(file, 'utf8').trim(), file)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError('bad_key_file', `the key file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function describe(asked: string, protocol: string, purchase: Purchase): string {
  const shown = purchase.body.length > 600 ? `${purchase.body.slice(0, 600)}…` : purchase.body
  const lines: [string, string][] = [
    ['request', asked],
    ['price', `${purchase.usd} USD by ${protocol} on ${purchase.network}`],
    ['payer', purchase.payer],
    ['recipient', purchase.recipient],
    ['status', String(purchase.status)],
    ['transaction', purchase.transaction],
    ['receipt', JSON.stringify(purchase.receipt)],
    ['answer', shown.trim() || '(none: the record is unknown, and that is what was bought)'],
  ]
  return `${lines.map(([name, value]) => `${name.padEnd(12)} ${value}`).join('\n')}\n`
}
