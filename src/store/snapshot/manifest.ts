import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { OperatorError } from '../../lib/errors.ts'
import { readBounded } from '../../lib/read-bounded.ts'

const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })

/** Raised when a reader of the format before could misread a snapshot. */
const FORMAT = 1

/** Contents of a snapshot: chain and height, version of the tables, and files. */
const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  program: Type.String(),
  made_at: Type.String(),
  chain_id: Type.String({ minLength: 1 }),
  genesis_hash: Sha256,
  height: Type.Integer({ minimum: 1 }),
  block_hash: Sha256,
  block_time: Type.String(),
  /** versions of the migrations that made the tables, in ascending order */
  migrations: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1 }),
  tables: Type.Array(Type.Object({ name: Name, columns: Type.Array(Name), rows: Count, bytes: Count, sha256: Sha256 })),
})

export type Manifest = Static<typeof ManifestSchema>
export type SnapshotTable = Manifest['tables'][number]

export const MANIFEST_FILE = 'manifest.json'
/** A hundred times what our tables need. */
const MANIFEST_BYTES = 2 ** 20

/** Rows as PostgreSQL's COPY writes them in its binary format. */
export const fileOf = ({ name }: { name: string }): string => `${name}.copy.gz`

/** Gives the text that was written. It comes last: a folder without it is no snapshot. */
export async function writeManifest(folder: string, facts: Omit<Manifest, 'format'>): Promise<string> {
  const text = `${JSON.stringify({ format: FORMAT, ...facts }, null, 2)}\n`
  await writeFile(join(folder, MANIFEST_FILE), text, { flag: 'wx' })
  return text
}

export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST_FILE)
  const bytes = await readBounded(createReadStream(file), MANIFEST_BYTES).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? `it has no ${MANIFEST_FILE}` : error.message
    throw new OperatorError('no_snapshot', `${folder} is no complete snapshot: ${reason}`, {}, error)
  })
  const manifest = parse(bytes.toString('utf8'))
  if (manifest instanceof Error)
    throw new OperatorError('bad_manifest', `${file} is no manifest of a snapshot: ${manifest.message}`, {}, manifest)
  return manifest
}

function parse(text: string): Manifest | Error {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return error as Error
  }
  if (Value.Check(ManifestSchema, value)) return value
  const [problem] = Value.Errors(ManifestSchema, value)
  const place = problem?.instancePath.slice(1).replaceAll('/', '.')
  return new Error(`${place ? `${place} ` : ''}${problem?.message ?? 'it has another form'}`)
}
