/** Where whole files lie under keys: a folder or a bucket. Keys are paths with `/`, relative to the store. */
export interface ObjectStore {
  /** for messages; holds no credentials */
  readonly name: string
  /** Durable once it resolves. A reader finds the whole object or, before, what was there. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** `length` bytes of an object from `offset`, fewer where it ends, never more. undefined: there is no such object. */
  getRange(key: string, offset: number, length: number): Promise<Uint8Array | undefined>
  /** Objects whose key begins with `prefix`, in the order of their keys. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** An object that is not there is no error. */
  delete(key: string): Promise<void>
}

export type StoredObject = { key: string; size: number }
