import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { OperatorError } from '../lib/errors.ts'
import type { ObjectStore } from '../lib/object-store/object-store.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })

/** Raised when a reader of the form before could misread an export. */
const FORMAT = 1

const FileSchema = Type.Object({ key: Type.String(), dataset: Type.String(), rows: Count, bytes: Count, sha256: Sha256 })

const RangeSchema = Type.Object({
  from: Count,
  to: Count,
  /** of the block at `to` */
  block_hash: Sha256,
  files: Type.Array(FileSchema),
})

/** Datasets that change: written as a whole with every run, so that the files of the run before are left out. */
const StateSchema = Type.Object({
  /** the state after this height */
  height: Count,
  files: Type.Array(FileSchema),
})

/** Contents of an export: chain, format and files. */
const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  chain_id: Type.String({ minLength: 1 }),
  genesis_hash: Sha256,
  file_format: Type.String(),
  heights_per_file: Type.Integer({ minimum: 1 }),
  /** columns and their kinds, by dataset */
  datasets: Type.Record(Type.String(), Type.Record(Type.String(), Type.String())),
  first_height: Count,
  /** the last height of the run that wrote last: one that was interrupted is finished first */
  target_height: Type.Integer({ minimum: -1 }),
  /** without gaps, each written whole before it is named here */
  ranges: Type.Array(RangeSchema),
  /** absent before the first run has ended, and where no such dataset is chosen */
  state: Type.Optional(StateSchema),
})

export type Manifest = Static<typeof ManifestSchema>
export type ExportedRange = Static<typeof RangeSchema>
export type ExportedFile = Static<typeof FileSchema>
export type ExportedState = Static<typeof StateSchema>

/** Fields that must be equal for an export to be continued. */
export type ExportIdentity = Omit<Manifest, 'format' | 'target_height' | 'ranges' | 'state'>

export const MANIFEST_KEY = 'manifest.json'
/** Some 200 bytes for each file. */
const MANIFEST_BYTES = 256 * 2 ** 20

export async function writeManifest(store: ObjectStore, manifest: Manifest): Promise<void> {
  await store.put(MANIFEST_KEY, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
}

/** Every file that belongs to the export. */
export const filesOf = ({ ranges, state }: Manifest): ExportedFile[] => [
  ...ranges.flatMap(({ files }) => files),
  ...(state?.files ?? []),
]

/** Undefined where nothing is yet. */
export async function readManifest(store: ObjectStore): Promise<Manifest | undefined> {
  const bytes = await store.getRange(MANIFEST_KEY, 0, MANIFEST_BYTES)
  if (!bytes) return undefined
  const refuse = (reason: string) =>
    new OperatorError('bad_manifest', `${MANIFEST_KEY} in ${store.name} is not one of an export: ${reason}`)
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString())
  } catch (error) {
    throw refuse((error as Error).message)
  }
  if (Value.Check(ManifestSchema, value)) return value
  const [problem] = Value.Errors(ManifestSchema, value)
  throw refuse(`${problem?.instancePath.slice(1)} ${problem?.message ?? 'it has another form'}`.trim())
}

/** The manifest to continue with. Throws when what is there is an export of something else. */
export function continueManifest(found: Manifest | undefined, identity: ExportIdentity, store: ObjectStore): Manifest {
  if (!found) return { format: FORMAT, ...identity, target_height: identity.first_height - 1, ranges: [] }
  for (const name of Object.keys(identity) as (keyof ExportIdentity)[])
    if (JSON.stringify(found[name]) !== JSON.stringify(identity[name]))
      throw new OperatorError(
        'other_export',
        `${store.name} holds an export with another ${WORDS[name]} (${describe(found[name])}, not ${describe(identity[name])}): continue that one, or choose another place`,
      )
  return found
}

const WORDS: Record<keyof ExportIdentity, string> = {
  chain_id: 'chain',
  genesis_hash: 'genesis document',
  file_format: 'file format',
  heights_per_file: 'number of heights per file',
  datasets: 'choice of datasets or columns',
  first_height: 'first height',
}

const describe = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : String(value))
