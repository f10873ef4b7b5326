/** Retries within milliseconds, receivers on this machine. */
export const LOCAL = {
  target: { allowHttp: true, privateTargets: ['127.0.0.1'], timeoutMs: 300 },
  delivery: { backoff: { minMs: 5, maxMs: 50 }, leaseMs: 2000 },
}
