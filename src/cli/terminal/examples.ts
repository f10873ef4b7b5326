import type { Command } from 'commander'

type Example = [line: string, meaning: string]

/** Examples below the options of a command's help. A test runs each line through the parser. */
export const EXAMPLES: Record<string, Example[]> = {
  start: [
    ['start', 'the bundled recordings as three networks, on a bundled database'],
    ['start --host 0.0.0.0', 'the same, for other machines to look at'],
    ['start --no-live --data /srv/astrolabe', 'index everything without a pause, with the data in that folder'],
    ['start --config celestia.json --no-paid', 'the networks of a configuration file, without the paid surface'],
  ],
  status: [
    ['status', 'a table'],
    ['status --json --config celestia.json', 'the same for scripts'],
  ],
  doctor: [
    ['doctor', 'before the first start'],
    ['doctor --config celestia.json --database postgres://astrolabe@db/astrolabe', 'check your own configuration and database'],
  ],
  index: [
    ['index --once --recording data/recordings/test-1 --network test-1', 'index a recording to its end'],
    ['index --rpc http://10.0.0.5:26657,http://10.0.0.6:26657', 'follow two nodes until stopped'],
    ['index --config celestia.json --network main --until 1000', 'stop after the first thousand blocks'],
  ],
  serve: [['serve --config celestia.json --workers 4', 'four processes share the ports; nothing is indexed']],
  pay: [['pay --config celestia.json', 'the paid surface alone, with the payment settings of the file']],
  'pay report': [['pay report --days 7', 'a week of sales']],
  'pay export': [['pay export --from 2026-01-01 --to 2026-01-31 --csv', 'the payments of a month, for a spreadsheet']],
  'pay refund': [['pay refund --credits --key-file refund.key', 'send back what was paid for answers that nobody fetched']],
  'pay-demo': [
    ['pay-demo', 'buys /v1/head on the local test chain'],
    ['pay-demo "/v1/block?limit=2" --protocol x402', 'buy another answer over the other protocol'],
  ],
  mcp: [
    ['mcp --network main', 'for an agent on the machine that has the database; agents start this command themselves'],
    ['mcp --url http://127.0.0.1:9876', 'the tools of a running service, for agents that cannot speak HTTP'],
  ],
  operator: [['operator --config celestia.json', "the operator's API of the networks of the file, without `start`"]],
  'keys create': [
    ['keys create --label Acme --plan developer', 'a key for the key surface; it is shown only once'],
    ['keys create --label ops --role operator', "a key for the operator's API"],
  ],
  'keys list': [['keys list --json', 'for scripts']],
  'keys rotate': [['keys rotate x8Kq2LmZ0f --grace 48', 'the old key stays valid for two more days']],
  'keys revoke': [['keys revoke x8Kq2LmZ0f', 'the key with this id stops working']],
  'webhooks create': [
    [
      'webhooks create --account acc_T4vN9sYb1c --url https://example.org/hook --events tx,blob --from 1',
      'all transactions and blobs, from the first block on',
    ],
  ],
  'webhooks list': [['webhooks list', 'who gets what, and who fails']],
  'webhooks show': [['webhooks show wh_3kTq91hZbYxWm0Ld', 'its filters, position and last failure']],
  'webhooks test': [['webhooks test wh_3kTq91hZbYxWm0Ld', 'is the receiver reached, and what does it answer']],
  'webhooks pause': [['webhooks pause wh_3kTq91hZbYxWm0Ld', 'nothing is sent, and nothing is lost']],
  'webhooks resume': [['webhooks resume wh_3kTq91hZbYxWm0Ld', 'continue with the first event that was not delivered']],
  'webhooks rotate': [['webhooks rotate wh_3kTq91hZbYxWm0Ld', 'a new secret; it is shown only once']],
  'webhooks delete': [['webhooks delete wh_3kTq91hZbYxWm0Ld', 'nothing is sent any more']],
  'webhooks deliveries': [['webhooks deliveries wh_3kTq91hZbYxWm0Ld', 'the last 100 attempts with their outcome']],
  'webhooks replay': [['webhooks replay wh_3kTq91hZbYxWm0Ld msg_Zm9vYmFy', 'post one event again under its id']],
  'keys usage': [['keys usage acc_T4vN9sYb1c', 'requests of this account, per day']],
  'rollups load': [['rollups load rollups.json', 'adds new entries; known ones stay unchanged']],
  'rollups list': [['rollups list', 'all rollups with their ids']],
  'rollups verify': [['rollups verify 5', 'shows rollup 5 and counts its blobs']],
  'rollups delete': [['rollups delete 5', 'removes rollup 5']],
  migrate: [['migrate --config celestia.json', 'run it before you start a new version']],
  'partitions make': [['partitions make --heights 500000', 'five weeks of the main network each; no row is moved']],
  'partitions list': [['partitions list', 'their heights and size']],
  'partitions detach': [['partitions detach --below 4000000', 'old txs leave the index; their tables stay']],
  rollback: [['rollback --network main --to 8880000', 'the heights above are taken back, and read again at the next start']],
  snapshot: [['snapshot /srv/snapshots/main --network main', 'publish that folder: others restore it and need no archive node']],
  restore: [
    [
      'restore /srv/snapshots/main --config celestia.json --network main',
      'two of the configured nodes have to confirm the block',
    ],
    ['restore ./snapshot --rpc http://127.0.0.1:26657 --min-nodes 1', 'your own node is enough for you'],
  ],
  export: [
    ['export /srv/export --network main', 'every dataset as Parquet; run it again to add the heights that became final'],
    ['export s3://chain-data/celestia --datasets txs,blobs --whole', 'two datasets into a bucket, complete files only'],
    ['export ./csv --format csv --to 100000', 'gzipped CSV of the first heights'],
    ['export /srv/export --check', 'compare the files with their checksums'],
  ],
  record: [['record ./recording --rpc http://127.0.0.1:26657 --from 1 --to 5000', 'record five thousand blocks into a folder']],
  replay: [
    ['replay data/recordings/devnet --start 300 --interval 1000', 'a node at height 300 that produces a block per second'],
  ],
  completion: [['completion bash', 'source it: eval "$(astrolabe completion bash)"']],
  audit: [['audit --network test-1', 'one network; exits with 1 when something does not add up']],
}

export function addExamples(command: Command, path = ''): void {
  for (const inner of command.commands) {
    const name = `${path} ${inner.name()}`.trim()
    const examples = EXAMPLES[name]
    if (examples) inner.addHelpText('after', describe(examples))
    addExamples(inner, name)
  }
}

function describe(examples: Example[]): string {
  const lines = examples.map(([line, meaning]) => `  astrolabe ${line}\n      ${meaning}`)
  return `\nExamples:\n${lines.join('\n')}`
}
