import { setFlagsFromString } from 'node:v8'

/**
 * V8 puts callees into their callers until 920 bytes of bytecode are reached, and compiles the sum again whenever a block brings a form
 * not seen before. The indexer is wide rather than deep (dozens of families and message modules, each called once per block), so that
 * compiling took a quarter of its CPU in the first minutes. With less put together, ingest of 5,000 blocks needs 7 % less CPU (means of
 * nine runs each, taken in turns: 0.476 against 0.512 ms per tx); a warm thread shows no difference beyond the noise.
 *
 * Holds for the whole process and for what is compiled from now on. Measured again with each Node release: the flag goes when
 * `npm run bench -- ingest` shows no difference without it.
 */
export function limitInlining(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=250')
}

/**
 * V8 looks at old objects when there are up to four times as many bytes of them as were alive the last time. Most of what the indexer
 * promotes is dead a batch later, so that it held 100 MB for the 30 it needed; a server holds what answers left behind. At 2.6 times, both
 * need a fifth less memory for 2 to 4 % more CPU (docs/decisions/0100-memory-of-processes.md).
 *
 * Holds for all threads, from their next full collection on.
 */
export function collectSooner(): void {
  setFlagsFromString('--heap-growing-percent=160')
}
