/**
 * Node says what it is in `navigator` since version 21. Where it does not, `pg` makes a `Response` to find out, which loads all of `fetch`:
 * 40 ms of CPU and 5 MB of every process. To be imported before `pg`. Unnecessary once
 * Node 20 is no longer supported.
 */
if (!('navigator' in globalThis)) {
  const [major] = process.versions.node.split('.')
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: `Node.js/${major}` }, configurable: true })
}

export {}
