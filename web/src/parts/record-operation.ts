import type { Operations } from '../../../src/client/gen/operations.ts'

/** Operations that answer one thing by its id. */
export type OneOperation = {
  [K in keyof Operations]: Operations[K]['input'] extends { id: string | number }
    ? keyof Operations[K]['input'] extends 'id'
      ? K
      : never
    : never
}[keyof Operations]

export type ThingOf<K extends OneOperation> = NonNullable<Operations[K]['answer']>
