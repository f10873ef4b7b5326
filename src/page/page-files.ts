import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

export type PageFile = {
  type: string
  /** without compression */
  plain: Buffer
  etag: string
  /** The smallest form that the client takes. */
  choose: (accepted: string | undefined) => { encoding?: 'br' | 'gzip'; body: Buffer }
}

export type PageFiles = Map<string, { load: () => Promise<PageFile> }>

/** The files of a built page by the path they are served under; read and compressed once, when first asked for. */
export function listPageFiles(folder: string): PageFiles {
  const files: PageFiles = new Map()
  if (!existsSync(join(folder, 'index.html'))) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || !type) continue
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(folder.length).split(sep).join('/')
    let loaded: Promise<PageFile> | undefined
    files.set(path === '/index.html' ? '/' : path, { load: () => (loaded ??= loadFile(file, type)) })
  }
  return files
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

async function loadFile(file: string, type: string): Promise<PageFile> {
  const body = await readFile(file)
  const [brotli, gzipped] = await Promise.all([
    toBrotli(body, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    toGzip(body),
  ])
  return {
    type,
    plain: body,
    etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    choose: (accepted = '') => {
      if (/\bbr\b/.test(accepted) && brotli.length < body.length) return { encoding: 'br', body: brotli }
      if (/\bgzip\b/.test(accepted) && gzipped.length < body.length) return { encoding: 'gzip', body: gzipped }
      return { body }
    },
  }
}
