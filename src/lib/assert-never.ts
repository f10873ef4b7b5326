/** Ends a `switch` that knows every case: one that is added and forgotten does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`no case for ${String(value)}`)
}
