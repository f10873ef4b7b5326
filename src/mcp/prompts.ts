import { CALL_OPERATION } from './operation-tools.ts'

type Prompt = {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  text: (given: Record<string, string>) => string
}

/** Questions that people ask often, with the calls that answer them. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'explain_transaction',
    title: 'Explain a transaction',
    description: 'What a transaction did, who signed it, what it cost and whether it succeeded',
    arguments: [{ name: 'hash', description: 'transaction hash, 64 hex characters', required: true }],
    text: ({ hash }) =>
      `Explain the Celestia transaction ${hash} to someone who did not send it. ` +
      `Call getTransaction and listTransactionMessages with hash "${hash}"; if its messages have blobs, call ${CALL_OPERATION} with operation "list-tx-blobs" and the same hash. ` +
      'Say what each message does, who signed, how many blobs of what size went to which namespaces, the fee in TIA (utia divided by 1,000,000), gas used of gas wanted, and whether it succeeded; if it failed, explain the error.',
  },
  {
    name: 'cost_of_posting',
    title: 'Cost of posting blobs',
    description: 'What it costs to post a blob of so many bytes now, in TIA and dollars',
    arguments: [{ name: 'bytes', description: 'size of the blob in bytes', required: true }],
    text: ({ bytes }) =>
      `How much does it cost to post a blob of ${bytes} bytes to Celestia now? ` +
      `Call ${CALL_OPERATION} with operation "estimate-gas-for-pfb" and arguments {"sizes": "${bytes}"} for the gas, ${CALL_OPERATION} with operation "get-gas-price" for utia per gas (slow, median, fast), and getPrice for dollars per TIA. ` +
      'The fee is gas × price in utia, a millionth of a TIA. Give the fee for slow, median and fast in TIA and dollars, and the assumptions.',
  },
  {
    name: 'validator_health',
    title: 'Health of a validator',
    description: 'Whether a validator signs its blocks, was jailed, and how its stake develops',
    arguments: [{ name: 'id', description: 'id of the validator; listValidators tells the ids', required: true }],
    text: ({ id }) =>
      `How healthy is the Celestia validator ${id}? ` +
      `Call getValidator with id ${id}, and ${CALL_OPERATION} with arguments {"id": ${id}} for the operations "get-validator-uptime", "list-validator-jails" and "get-validator-metrics". ` +
      'Report missed blocks, jails and slashes with their reasons, commission and its limits, stake and votes. Say what a delegator should worry about, if anything.',
  },
]
