/**
 * Node's test runner follows every promise and callback, to know which suite a test is declared in and which test an uncaught error
 * belongs to: about a sixth of the CPU of tests that wait a lot. In a process that several files share it stops once all of them are
 * declared; an uncaught error then fails the process instead of one test. Loaded before the test runner itself (file-guard.ts).
 */
import hooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks'

const { createHook } = hooks
let tracking: AsyncHook | undefined

hooks.createHook = (callbacks: HookCallbacks) => {
  hooks.createHook = createHook
  tracking = createHook(callbacks)
  return tracking
}

export const stopTracking = (): void => {
  tracking?.disable()
}
