/** Result of `work`, or `late` after `ms`. A failure of the work after that must not end the process. */
export function withDeadline<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  // `Promise.race` would make four promises more, for every request.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms)
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
