import { Type } from 'typebox'
import type { Reader } from '../../../store/db.ts'
import { findHeightAt, findHistoryStart } from '../../../store/read/history/balances.ts'
import { toTime } from '../../../store/read/stats/timeframe.ts'
import { BadRequest, Missing } from '../../http/errors.ts'
import { At, Height } from '../../schema/query.ts'

/** Spread into the querystring of what can be asked for as it was. */
export const AsOf = {
  height: Type.Optional(Type.Integer({ ...Height, description: 'as it was at the end of this height' })),
  at: At,
}

type AsOfQuery = { height?: number | undefined; at?: number | undefined }

/** The height that is asked for; undefined: the present. A height that is not indexed does not exist. */
export async function findAskedHeight(
  db: Reader,
  { height, at }: AsOfQuery,
  head: number | undefined,
): Promise<number | undefined> {
  if (height === undefined && at === undefined) return undefined
  if (height !== undefined && at !== undefined) throw new BadRequest('height and at exclude each other', 'at')
  const asked = height ?? (await findHeightAt(db, toTime(at!)))
  if (asked === undefined || head === undefined || asked > head) throw new Missing()
  await refuseUnknown(db, asked, height === undefined ? 'at' : 'height')
  return asked
}

/** An index that is older than its history knows nothing of the heights before. */
async function refuseUnknown(db: Reader, height: number, param: string): Promise<void> {
  const start = await findHistoryStart(db)
  if (height < start)
    throw new BadRequest(`amounts are known from height ${start} on, not at height ${height}`, param, 'history_unknown')
}
