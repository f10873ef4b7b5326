import type { Static } from 'typebox'
import type { ConstantRow, DenomMetadataRow } from '../../store/read/general.ts'
import type { Constants } from '../schema/general.ts'

/** Values that read as decimals come without trailing zeros (`0.020000000000000000` → `0.02`), others as they are. */
export function toConstants(constants: ConstantRow[], denominations: DenomMetadataRow[]): Static<typeof Constants> {
  const module: Record<string, Record<string, string>> = {}
  for (const { module: owner, name, value } of constants) (module[owner] ??= {})[name] = trimDecimal(value)
  return {
    module,
    denom_metadata: denominations.map((row) => ({
      ...row,
      units: row.units.map(({ denom, exponent, aliases }) => ({ denom, exponent, aliases: aliases ?? [] })),
    })),
  }
}

function trimDecimal(text: string): string {
  return /^-?[0-9]+\.[0-9]+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}
