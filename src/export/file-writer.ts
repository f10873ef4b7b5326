import type { AnyDataset, Row } from '../store/export/dataset.ts'

/** Collects rows of one file. */
export interface FileWriter {
  /** About as many as the file has so far. The same rows always give the same number: it decides where a file ends. */
  readonly bytes: number
  add(rows: readonly Row[]): Promise<void>
  finish(): Promise<Uint8Array>
}

export type Format = {
  /** of the files, without the dot */
  extension: string
  open: (dataset: AnyDataset) => FileWriter
}
