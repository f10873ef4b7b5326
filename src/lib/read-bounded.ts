import { Transient } from './errors.ts'

/** Pieces of a body that somebody else sends. One of more than `maxBytes` is refused as soon as it has them, and the rest is not read. */
export async function* boundPieces<P extends Uint8Array>(pieces: AsyncIterable<P>, maxBytes: number): AsyncGenerator<P> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw new Transient('answer_too_large', `the answer is larger than ${maxBytes} bytes`, { maxBytes })
    yield piece
  }
}

/** The whole of such a body. */
export async function readBounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const all: Uint8Array[] = []
  for await (const piece of boundPieces(pieces, maxBytes)) all.push(piece)
  return Buffer.concat(all)
}

/** Largest answer to one request; `init` is as `fetch` takes it. */
export type AnswerBound = number | ((init: RequestInit | undefined) => number)

/**
 * A `fetch` whose answers are complete and bounded, for code of ours and for libraries that take one. The bound is for the unpacked body,
 * whatever the status is.
 */
export function boundFetch(bound: AnswerBound): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { status, statusText, headers, body } = response
    if (body === null) return response
    const bytes = await readBounded(body as AsyncIterable<Uint8Array>, typeof bound === 'number' ? bound : bound(init))
    return new Response(bytes, { status, statusText, headers })
  }
}
