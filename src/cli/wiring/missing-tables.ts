import type { NetworkConfig } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'

/** The tables of a network, or those of the access part, are made when an indexer starts for the first time. */
export const isMissingTable = (error: unknown): boolean => (error as { code?: string }).code === '42P01'

/** Error of a command that reads an index: a sentence when there is no index, otherwise `error`. */
export const explainNotIndexed = ({ name }: NetworkConfig, error: unknown): unknown =>
  isMissingTable(error)
    ? new OperatorError('nothing_indexed', `network ${name} has no tables yet: index it first`, {}, error)
    : error

/** Error of an indexer whose tables are gone. A standby that is promoted too early does not have them. */
export const explainTablesGone = ({ name }: NetworkConfig, error: unknown): unknown =>
  isMissingTable(error)
    ? new OperatorError(
        'tables_gone',
        `the tables of network ${name} are gone (${(error as Error).message}): they were dropped, or this server has taken the place of the one that has them. Bring that server or a backup back; to index from the first block again, start with an empty database`,
        {},
        error,
      )
    : error
