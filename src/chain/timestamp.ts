import type { ProtoWriter } from '../lib/proto-writer.ts'

const RFC3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

/** Whether `text` is a time as nodes print it: UTC with `Z`, at most nanoseconds. */
export function isTimestamp(text: string): boolean {
  return RFC3339_UTC.test(text) && !Number.isNaN(Date.parse(`${text.slice(0, 19)}Z`))
}

/** Writes the two fields of google.protobuf.Timestamp. */
export function writeTimestamp(writer: ProtoWriter, text: string): void {
  const seconds = Date.parse(`${text.slice(0, 19)}Z`) / 1000
  const nanos = text.length > 20 ? Number(text.slice(20, -1).padEnd(9, '0')) : 0
  writer.integer(1, seconds).integer(2, nanos)
}
