import type { Command } from 'commander'
import { type Config, schemaOf } from '../../config/schema.ts'
import { KeyRing } from '../../store/access/key-ring.ts'
import { openReader } from '../../store/db.ts'
import { type Closing, closeAll } from '../wiring/closing.ts'
import { openDatabase } from '../wiring/database.ts'
import { openKeys } from '../wiring/key-table.ts'
import { openOperatorApi } from '../wiring/operator.ts'
import { type CommonOptions, configOf, withCommonOptions } from '../wiring/options.ts'
import { type Runtime, runCommand, untilStopped } from '../wiring/runtime.ts'
import { migrateNetwork } from '../wiring/schemas.ts'

export function registerOperatorCommand(program: Command): void {
  withCommonOptions(
    program
      .command('operator')
      .description("serve the operator's API: the rollup registry, accounts and the state of the networks over HTTP"),
  ).action((options: CommonOptions) => {
    const config = configOf(options)
    return runCommand(config.log_level, (runtime) => serveOperator(config, runtime))
  })
}

/** With the role that may write the chain's tables, hence its own process: nothing that the public reaches has it. */
async function serveOperator(config: Config, runtime: Runtime): Promise<void> {
  const { log } = runtime
  const database = await openDatabase(config, log)
  const closing: Closing = [database.stop]
  try {
    const { sql, secrets, accounts } = await openKeys(config, database.url, 2)
    closing.push(() => sql.end({ timeout: 2 }))
    const ring = new KeyRing(sql, secrets, {
      onError: (error) => log.warn({ err: error }, 'reading keys failed: known keys stay valid, trying again'),
    })
    closing.push(() => ring.stop())
    await ring.start()
    const networks = []
    for (const network of config.networks) {
      const schema = schemaOf(network)
      const url = database.urlOf(network)
      await migrateNetwork(database, network)
      const db = openReader({ url, schema, max: 2 })
      closing.push(() => db.end({ timeout: 2 }))
      networks.push({ name: network.name, url, schema, db })
    }
    const service = await openOperatorApi(config, { networks, ring, accounts, sql, movePort: false }, runtime)
    closing.push(service.close)
    log.info({ address: service.url }, "serving the operator's API")
    await untilStopped(runtime)
  } finally {
    await closeAll(closing, log)
  }
}
