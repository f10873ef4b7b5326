import type { Config, NetworkConfig } from '../../config/schema.ts'
import type { ObjectStore } from '../../lib/object-store/object-store.ts'
import { openObjectStore } from '../../lib/object-store/open.ts'
import { SegmentReader } from '../../store/segments/segment-reader.ts'

/** Where the segments of a network are; `prefix` stands before their keys. Undefined when there are none. */
export function segmentStoreOf(config: Config, { name }: NetworkConfig): { store: ObjectStore; prefix: string } | undefined {
  const { segments } = config.storage
  return segments === undefined ? undefined : { store: openObjectStore(segments, config.object_storage), prefix: name }
}

export function segmentReaderOf(config: Config, network: NetworkConfig): SegmentReader | undefined {
  const place = segmentStoreOf(config, network)
  return place && new SegmentReader(place.store, config.storage.cache_megabytes * 2 ** 20)
}
