import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { OperatorError } from '../../../lib/errors.ts'
import type { Purchase } from '../../../pay/local-chain/buy-once.ts'
import type { Hex } from '../../../pay/settings.ts'
import { runCommand } from '../../wiring/runtime.ts'

type DemoOptions = { url: string; protocol: 'mpp' | 'x402'; payerKeyFile?: string }

export function registerPayDemoCommand(program: Command): void {
  program
    .command('pay-demo')
    .description('buy one answer of the paid surface with the official client, and show price, receipt and transaction')
    .argument('[path]', 'what to buy', '/v1/head')
    .option('--url <url>', 'address of the paid surface', 'http://127.0.0.1:9878')
    .addOption(new Option('--protocol <name>', 'payment protocol').choices(['mpp', 'x402']).default('mpp'))
    .option('--payer-key-file <file>', 'file with the private key that pays; not needed on the local test chain')
    .action((path: string, options: DemoOptions) =>
      runCommand('info', async () => {
        // Loaded here, because every other command would wait for the payment libraries too.
        const [{ buyOnce }, { toKey }] = await Promise.all([
          import('../../../pay/local-chain/buy-once.ts'),
          import('../../../pay/settler-key.ts'),
        ])
        const payerKey = options.payerKeyFile === undefined ? undefined : readKey(options.payerKeyFile, toKey)
        const url = `${options.url.replace(/\/+$/, '')}${path}`
        process.stdout.write(describe(url, options.protocol, await buyOnce({ url, protocol: options.protocol, payerKey })))
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

function describe(url: string, protocol: string, purchase: Purchase): string {
  const shown = purchase.body.length > 600 ? `${purchase.body.slice(0, 600)}…` : purchase.body
  const lines: [string, string][] = [
    ['GET', url],
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
