import { cpuSecondsOf, printTable } from '../harness/measure.ts'

/** The system counts CPU in steps of 10 ms. */
const TIMES = 20

/** CPU of a serving process for proofs of a full block that nobody has asked for yet, and for those after the first. */
export async function measureProofs(address: string, process: number, height: number): Promise<void> {
  const read = async (path: string) => (await fetch(`${address}${path}`)).json() as Promise<never>
  const [tx] = (await read(`/v1/tx?height=${height}&limit=1`)) as { hash: string }[]
  const [blob] = (await read(`/v1/block/${height}/blobs?limit=1`)) as { namespace: { hash: string }; commitment: string }[]
  const blobQuery = new URLSearchParams({ hash: blob!.namespace.hash, height: String(height), commitment: blob!.commitment })
  const proofs: [string, string, number][] = [
    ['of a tx, the first of its block', `/v1/tx/${tx!.hash}/proof`, 1],
    ['of a tx, after the first', `/v1/tx/${tx!.hash}/proof`, TIMES],
    ['of a blob of 7.4 MiB, after the first', `/v1/blob/proof?${blobQuery}`, TIMES],
  ]
  const rows: Record<string, string | number>[] = []
  for (const [proof, path, times] of proofs) {
    const before = cpuSecondsOf(process)
    let bytes = 0
    for (let i = 0; i < times; i++) {
      const response = await fetch(`${address}${path}`)
      if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`)
      bytes = (await response.arrayBuffer()).byteLength
    }
    const cpu = ((cpuSecondsOf(process) - before) * 1000) / times
    rows.push({ proof, 'CPU ms': cpu.toFixed(1), 'kB of the answer': Math.round(bytes / 1000) })
  }
  printTable('proofs from a block of 30 MiB of blobs (side 256), read from a node on loopback', rows)
}
