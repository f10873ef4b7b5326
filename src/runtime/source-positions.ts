import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, SourceMap | undefined>()

/**
 * Stack traces name lines of the sources instead of the compiled files. Node can do that too, but reads the map of every module when it is loaded: 0.1 s and 7 MB of
 * a process that may never show a trace. Here a map is read when a trace is. Unnecessary once Node reads
 * maps only for the traces that it shows.
 */
export function showSourcePositions(): void {
  Error.prepareStackTrace = (error, frames) => [headOf(error), ...frames.map((frame) => `    at ${toSource(frame)}`)].join('\n')
}

function headOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

function toSource(frame: NodeJS.CallSite): string {
  const text = String(frame)
  const file = frame.getFileName()
  const line = frame.getLineNumber()
  const column = frame.getColumnNumber()
  if (!file?.startsWith('file:') || line === null || column === null) return text
  const entry = mapOf(file)?.findEntry(line - 1, column - 1)
  if (!entry || !('originalSource' in entry)) return text
  const source = fileURLToPath(new URL(entry.originalSource, file))
  return text.replace(`${file}:${line}:${column}`, `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`)
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file))
  return maps.get(file)
}

/** Libraries and Node's own modules have none. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')))
  } catch {
    return undefined
  }
}
