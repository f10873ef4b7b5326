import { readFile } from 'node:fs/promises'
import { OperatorError } from '../lib/errors.ts'
import { asCount, asText, parseJsonObject } from './json-fields.ts'

/** A genesis document in a file, such as one that a node exported at a height: the index begins with the state that it holds. */
export type GenesisFile = { document: Uint8Array; initialHeight: number }

export async function readGenesisFile(file: string): Promise<GenesisFile> {
  try {
    const document = await readFile(file)
    const { chain_id: chainId, initial_height: initialHeight = 1 } = parseJsonObject(document, 'genesis')
    asText(chainId, 'chain_id')
    // A number in documents of newer nodes.
    return { document, initialHeight: asCount(String(initialHeight), 'initial_height') || 1 }
  } catch (error) {
    throw new OperatorError('bad_genesis_file', `${file} cannot be used as genesis: ${(error as Error).message}`, { file }, error)
  }
}
