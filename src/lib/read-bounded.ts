import { ByteCollector } from '../runtime/byte-collector.ts'
import { Transient } from './errors.ts'

/**
 * Reads a body that somebody else sends. One of more than `maxBytes` is refused as soon as it has them, and the rest is not read. The
 * next piece is read when what `onPiece` gives resolves.
 */
export async function readBounded(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onPiece?: (bytes: number) => Promise<void> | void,
): Promise<Buffer<ArrayBuffer>> {
  const collected = new ByteCollector()
  try {
    for await (const piece of pieces) {
      if (collected.size + piece.length > maxBytes)
        throw new Transient('answer_too_large', `the answer is larger than ${maxBytes} bytes`, { maxBytes })
      collected.add(piece)
      const gate = onPiece?.(piece.length)
      if (gate) await gate
    }
    return collected.take()
  } finally {
    collected.drop()
  }
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
