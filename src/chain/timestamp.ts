import type { ProtoWriter } from '../lib/encoding/proto-writer.ts'

const RFC3339_UTC = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/

/** Whether `text` is a time as nodes print it: UTC with `Z`, at most nanoseconds. */
export function isTimestamp(text: string): boolean {
  return RFC3339_UTC.test(text) && !Number.isNaN(secondsOf(text))
}

let minute = ''
let minuteSeconds = 0

/** Seconds since 1970. The votes for a block are cast within a minute or two, and parsing a date is the dearest part of reading one. */
function secondsOf(text: string): number {
  const its = text.slice(0, 17)
  if (its !== minute) {
    minuteSeconds = Date.parse(`${its}00Z`) / 1000
    minute = its
  }
  return minuteSeconds + Number(text.slice(17, 19))
}

/** Writes the two fields of google.protobuf.Timestamp. */
export function writeTimestamp(writer: ProtoWriter, text: string): void {
  const seconds = secondsOf(text)
  const nanos = text.length > 20 ? Number(text.slice(20, -1).padEnd(9, '0')) : 0
  writer.integer(1, seconds).integer(2, nanos)
}
