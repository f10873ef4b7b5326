import { BadRequest } from '../api/http/errors.ts'
import { fieldsOf, findOperations } from '../operations/find-operations.ts'
import { type KeyOperation, keyOperations } from '../operations/key-operations.ts'
import { type ForSale, ROWS_PER_PRICE } from '../operations/operation.ts'
import type { Arguments } from './arguments.ts'
import { describeArguments } from './describe-arguments.ts'
import { LIST_FIELD, type ToolDescription } from './tools.ts'

/** Two tools for all that the small set has not: one finds an operation of the API by words, the other calls it. */
export const FIND_OPERATION = 'find_operation'
export const CALL_OPERATION = 'call_operation'

const MOST = 20
const SOME = 5

const annotations = { readOnlyHint: true, openWorldHint: false } as const

/** What the two tools know of the surface: `reach` tells what answers an operation. */
export type Reach = { isPaid: boolean; reach: (operation: KeyOperation) => ForSale | undefined }

/** What people ask for most, each with an operation that answers it. */
const TOPICS: Readonly<Record<string, string>> = {
  gas: 'get-gas-price',
  proposals: 'list-proposals',
  votes: 'list-proposal-votes',
  'balance at a date': 'list-address-history',
  uptime: 'get-validator-uptime',
  IBC: 'list-ibc-transfers',
  Hyperlane: 'list-hyperlane-transfers',
  'blob content': 'get-blob',
  proofs: 'get-tx-proof',
  supply: 'list-supply',
}

const listTopics = ({ reach }: Reach): string =>
  Object.entries(TOPICS)
    .filter(([, id]) => reach(keyOperations().get(id)!))
    .map(([topic]) => `${topic}, `)
    .concat('and more')
    .join('')

const countReached = ({ reach }: Reach): number => [...keyOperations().values()].filter(reach).length

export const describeOperationTools = (tools: Reach): ToolDescription[] => [
  {
    name: FIND_OPERATION,
    title: 'Find an operation of the API by words',
    description: [
      `Use it when no other tool answers the question: ${listTopics(tools)} (${countReached(tools)} operations).`,
      `Gives the best matches, each with the schema of its arguments and the fields that come back; call one with ${CALL_OPERATION}.`,
      ...(tools.isPaid ? ['Costs nothing.'] : []),
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        words: {
          type: 'string',
          minLength: 2,
          description: 'what the question is about, e.g. "gas price" or "missed blocks of a validator"',
        },
        limit: { type: 'integer', minimum: 1, maximum: MOST, default: SOME, description: 'how many matches' },
      },
      required: ['words'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        [LIST_FIELD]: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              operation: { type: 'string', description: `name for ${CALL_OPERATION}` },
              summary: { type: 'string' },
              arguments: { type: 'object', description: 'JSON schema of the arguments' },
              returns: { type: 'string', description: 'an object or a list, and its fields' },
              usd: { type: 'number', description: 'price of a call, where calls are paid for' },
              per_rows: { type: 'integer', description: 'rows that the price is for, where it depends on limit' },
            },
            required: ['operation', 'summary', 'arguments', 'returns'],
          },
        },
      },
      required: [LIST_FIELD],
    },
    annotations,
  },
  {
    name: CALL_OPERATION,
    title: 'Call an operation of the API',
    description: [
      `Use it with the name and arguments that ${FIND_OPERATION} gave. Arguments are checked against the schema of the operation.`,
      'Gives the JSON of the answer; a list comes in the field items, a bare number in the field value.',
      ...(tools.isPaid ? [`Costs what ${FIND_OPERATION} says of the operation; errors cost nothing.`] : []),
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        operation: { type: 'string', description: 'name of the operation, e.g. get-gas-price' },
        arguments: { type: 'object', description: 'arguments by name, as the schema of the operation has them' },
      },
      required: ['operation'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object' },
    annotations,
  },
]

export type FoundOperation = {
  operation: string
  summary: string
  arguments: object
  returns: string
  usd?: number
  per_rows?: number
}

/** Throws BadRequest with a sentence about the argument that is wrong. */
export function answerFind({ words, limit = SOME, ...others }: Arguments, { isPaid, reach }: Reach): FoundOperation[] {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new BadRequest(`${unknown} is not an argument of ${FIND_OPERATION}: it takes words, limit`, unknown)
  if (typeof words !== 'string' || words.trim().length < 2)
    throw new BadRequest('words must be a text of 2 characters or more', 'words')
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > MOST)
    throw new BadRequest(`limit must be an integer from 1 to ${MOST}`, 'limit')
  const found = findOperations(words, limit as number, (operation) => reach(operation) !== undefined)
  return found.map((operation) => describe(operation, reach(operation)!, isPaid))
}

/** Inputs and price are those of the item that answers. */
function describe({ id, label, route: { schema } }: KeyOperation, item: ForSale, isPaid: boolean): FoundOperation {
  const answer = schema.response[200] as { type?: string; title?: string }
  const fields = fieldsOf(answer)
  return {
    operation: id,
    summary: [schema.summary, schema.description].filter(Boolean).join('. '),
    arguments: describeArguments({ ...item, label }),
    returns: `${answer.type === 'array' ? 'a list' : `a value (${answer.type ?? 'any'})`}${fields.length > 0 ? ` of ${fields.join(', ')}` : ''}`,
    ...(isPaid && { usd: Number(item.usd), ...(item.rowsOf && { per_rows: ROWS_PER_PRICE }) }),
  }
}

/** The operation and its arguments out of those of the tool. */
export function readCall({ operation: id, arguments: given = {} }: Arguments): {
  operation: KeyOperation | undefined
  given: Arguments
} {
  // Models write objects as text, too.
  const args = typeof given === 'string' ? parse(given) : given
  return {
    operation: typeof id === 'string' ? keyOperations().get(id) : undefined,
    given: typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Arguments) : {},
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
