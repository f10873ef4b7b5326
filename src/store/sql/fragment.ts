import type postgres from 'postgres'

/** A piece of a statement, chosen by value and put into a larger one. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
