import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OPERATIONS } from '../../src/client/gen/operations.ts'
import { packagePath } from '../../src/lib/package-path.ts'

/** Operations without a view, and why. */
const LEFT_OUT: Record<string, string> = {
  changeWebhook: 'the page deletes a webhook and creates another; programs change them',
  countAddresses: 'the head counts accounts',
  countBlockBlobs: 'the statistics of the block count its blobs',
  countBlocks: 'the height of the head says it',
  countRollups: 'the list of rollups is short enough to be seen whole',
  countTxBlobs: 'the blobs of the transaction are listed',
  countTxs: 'the head counts transactions',
  exportRollupBlobs: 'a stream for programs; lists offer CSV',
  getAttribution: 'the footer has it from networks.json',
  getBlobProofs: 'the proof that the browser verifies is getBlobProof',
  getBlockStats: 'the block comes with its statistics',
  getCumulativeSeries: 'getSeriesTogether answers all running sums at once',
  getEnums: 'the filters of the lists name their words',
  getGasPriceOfPriority: 'getGasPrice answers all three',
  getNamespaceByHash: 'addresses of namespaces have id and version',
  getPrice: 'the last point of the price chart',
  getRollup: 'addresses of rollups have the slug',
  getSupplyProof: 'the page verifies balances; programs verify the supply with the client',
  getSummary: 'free-form numbers for programs',
  getTopValidatorMetrics: 'means of the scores that every validator shows',
  getTxProof: 'the page verifies blobs; programs verify transactions with the client',
  getUsage: 'tells the holder of a key how much of the plan is left; the page uses no key but for webhooks',
  getValidatorProof: 'the page verifies balances; programs verify validators with the client',
  getValidatorUptime: 'listUptimes answers all validators at once',
  getWebhook: 'listWebhooks answers all of them whole',
  listAddressHistory: 'the statement shows the same changes with their prices',
  listSupplyHistory: 'the chart of the supply tells it',
  listAddressCelestials: 'the account shows its name',
  listBlockMessages: 'the transactions of the block lead to their messages',
  listGenesisTxs: 'block 0 lists them',
  listHyperlaneDomains: 'transfers and chains show the names of domains',
  listNamespaceBlobContents: 'each blob shows its content',
  listNamespaceMessages: 'the blobs of the namespace lead to their transactions',
  listNamespaceVersions: 'addresses of namespaces have id and version',
  listRollupStats24h: 'the day board of rollups says more',
  listVestingPeriods: 'a vesting shows its start, end and amount',
}

const source = readdirSync(packagePath('web', 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  .join('\n')

const isUsed = (name: string) => new RegExp(`api\\.${name}\\b|operation="${name}"`).test(source)

test('every operation of the API is used by a view, or is left out with a reason', () => {
  const unnamed = Object.keys(OPERATIONS).filter((name) => !isUsed(name) && !Object.hasOwn(LEFT_OUT, name))
  assert.deepEqual(unnamed, [])
})

test('what is said to be left out is left out', () => {
  const used = Object.keys(LEFT_OUT).filter((name) => isUsed(name) || !Object.hasOwn(OPERATIONS, name))
  assert.deepEqual(used, [])
})
