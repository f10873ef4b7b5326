/** All of it or nothing. `how`: the kind of transaction, if not the usual one. */
export async function inTransaction<T>(
  client: { query: (text: string) => Promise<unknown> },
  work: () => Promise<T>,
  how = '',
): Promise<T> {
  await client.query(`begin ${how}`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
