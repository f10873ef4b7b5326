import { keyOperations } from '../operations/key-operations.ts'
import type { ForSale } from '../operations/operation.ts'
import { CALL_OPERATION, type Reach } from './operation-tools.ts'

type Given = Record<string, string>

/** A call of a prompt, by a tool of the small set or an operation of the API. `isExtra`: the question can be answered without it. */
type PromptCall = { name: string; why: string; isExtra?: true; arguments: (given: Given) => object }

type Prompt = {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  question: (given: Given) => string
  calls: readonly PromptCall[]
  answer: string
}

const byHash = ({ hash }: Given) => ({ hash })
const byId = ({ id }: Given) => ({ id: Number(id) })

/** Questions that people ask often, with the calls that answer them. */
const PROMPTS: readonly Prompt[] = [
  {
    name: 'explain_transaction',
    title: 'Explain a transaction',
    description: 'What a transaction did, who signed it, what it cost and whether it succeeded',
    arguments: [{ name: 'hash', description: 'transaction hash, 64 hex characters', required: true }],
    question: ({ hash }) => `Explain the Celestia transaction ${hash} to someone who did not send it.`,
    calls: [
      { name: 'getTransaction', why: 'the transaction', arguments: byHash },
      { name: 'listTransactionMessages', why: 'its messages', arguments: byHash },
      { name: 'list-tx-blobs', why: 'its blobs, if it has any', arguments: byHash, isExtra: true },
    ],
    answer:
      'Say what each message does, who signed, how many blobs of what size went to which namespaces, the fee in TIA (utia divided by 1,000,000), gas used of gas wanted, and whether it succeeded; if it failed, explain the error.',
  },
  {
    name: 'cost_of_posting',
    title: 'Cost of posting blobs',
    description: 'What it costs to post a blob of so many bytes now, in TIA and dollars',
    arguments: [{ name: 'bytes', description: 'size of the blob in bytes', required: true }],
    question: ({ bytes }) => `How much does it cost to post a blob of ${bytes} bytes to Celestia now?`,
    calls: [
      { name: 'estimate-gas-for-pfb', why: 'the gas', arguments: ({ bytes }) => ({ sizes: bytes }) },
      { name: 'get-gas-price', why: 'utia per gas (slow, median, fast)', arguments: () => ({}) },
      { name: 'getPrice', why: 'dollars per TIA', arguments: () => ({}), isExtra: true },
    ],
    answer:
      'The fee is gas × price in utia, a millionth of a TIA. Give the fee for slow, median and fast in TIA and dollars, and the assumptions.',
  },
  {
    name: 'validator_health',
    title: 'Health of a validator',
    description: 'Whether a validator signs its blocks, was jailed, and how its stake develops',
    arguments: [{ name: 'id', description: 'id of the validator; listValidators tells the ids', required: true }],
    question: ({ id }) => `How healthy is the Celestia validator ${id}?`,
    calls: [
      { name: 'getValidator', why: 'stake, commission and whether it is jailed', arguments: byId },
      { name: 'get-validator-uptime', why: 'missed blocks', arguments: byId, isExtra: true },
      { name: 'list-validator-jails', why: 'jails and slashes', arguments: byId, isExtra: true },
      { name: 'get-validator-metrics', why: 'how it compares with others', arguments: byId, isExtra: true },
    ],
    answer:
      'Report what these tell of missed blocks, jails and slashes with their reasons, commission and its limits, stake and votes. Say what a delegator should worry about, if anything.',
  },
]

/** What prompts know of the entrance: its tools, and which operations it reaches. */
export type Entrance = Reach & { items: readonly ForSale[] }

/** How the entrance is asked for a call; undefined where it does not offer it. */
function howTo({ items, reach }: Entrance, name: string): string | undefined {
  if (items.some(({ id }) => id === name)) return `${name} with arguments`
  const operation = keyOperations().get(name)
  return operation && reach(operation) && `${CALL_OPERATION} with operation "${name}" and arguments`
}

/** Prompts whose necessary calls the entrance offers. */
export const listPrompts = (entrance: Entrance): Prompt[] =>
  PROMPTS.filter(({ calls }) => calls.every(({ name, isExtra }) => isExtra || howTo(entrance, name) !== undefined))

/** Text of a prompt. Calls that the entrance does not offer are left out. */
export function writePrompt({ question, calls, answer }: Prompt, given: Given, entrance: Entrance): string {
  const asked = calls.flatMap(({ name, why, arguments: argumentsOf }) => {
    const how = howTo(entrance, name)
    return how === undefined ? [] : [`- ${how} ${JSON.stringify(argumentsOf(given))} for ${why}`]
  })
  return `${question(given)}\n\nCall:\n${asked.join('\n')}\n\n${answer}`
}
