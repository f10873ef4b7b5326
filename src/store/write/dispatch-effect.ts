import type { Effect, EffectKind } from '../../types/effects.ts'
import type { BlockInput, Family } from '../families/family.ts'

type Handler = (input: BlockInput, effect: Effect) => void

/** Applies one effect in every family that handles its kind, in the order of the families. */
export function createEffectDispatcher(families: readonly Family[]): Handler {
  const byKind = new Map<EffectKind, Handler[]>()
  for (const { effects = {} } of families) {
    for (const [kind, handler] of Object.entries(effects) as [EffectKind, Handler][]) {
      const handlers = byKind.get(kind)
      if (handlers) handlers.push(handler)
      else byKind.set(kind, [handler])
    }
  }
  return (input, effect) => {
    // Some of the families alone need not handle every kind; all of them do, or `createFamilies` does not compile.
    for (const handle of byKind.get(effect.kind) ?? []) handle(input, effect)
  }
}
