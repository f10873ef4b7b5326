import type { Reader } from '../../store/db.ts'
import { isOutOfReach, MAX_NUMBER, type NumberedTable } from '../../store/read/numbered.ts'
import { BadRequest } from '../http/errors.ts'

/** Refuses a running number that only a walk over more rows than an offset may skip would find (docs/rules.md R8). */
export async function checkRunningNumber(db: Reader, table: NumberedTable, number: number | undefined, param: string) {
  if (number !== undefined && (await isOutOfReach(db, table, number)))
    throw new BadRequest(`${param} is a running number above ${MAX_NUMBER}: use the id of a row`, param, 'offset_too_deep')
}
