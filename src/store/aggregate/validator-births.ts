import type { StateTable } from '../state/table.ts'

/**
 * Rows are named before a batch is applied, but a validator that the batch creates has no id by then. Its operator is remembered here,
 * and its rows, which cannot be in the database, are declared absent when they are first needed.
 */
export class ValidatorBirths {
  readonly #operators = new Set<string>()

  expect(operator: string): void {
    this.#operators.add(operator)
  }

  /** Does nothing for rows that were loaded, so an operator that stays in the set does no harm. */
  declare<Row extends object>(table: StateTable<Row>, operator: string | null, ...key: (string | number)[]): void {
    if (operator !== null && this.#operators.has(operator)) table.adoptAbsent(table.key(...key))
  }
}
