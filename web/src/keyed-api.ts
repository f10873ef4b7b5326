import { type Client, createClient } from '../../src/client/client.ts'
import { askPatiently } from './api.ts'
import { createStore, useStore } from './store.ts'

/** Kept in memory alone: whoever opens the browser later does not find it. */
const keyed = createStore<Client | undefined>(undefined)

export const chooseKey = (key: string): void =>
  keyed.set(key === '' ? undefined : createClient({ baseUrl: '', apiKey: key, fetch: askPatiently }))

/** The API with the key that the visitor gave, if one was given. */
export const useKeyedApi = (): Client | undefined => useStore(keyed, (client) => client)
