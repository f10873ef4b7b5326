import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packagePath } from '../lib/package-path.ts'
import type { Route } from './collect-routes.ts'
import { PREFIX } from './collect-routes.ts'
import { wantsGzip } from './http/answer.ts'
import { type ApiInfo, describeApi, type ForeignPath, writeDescription } from './openapi.ts'

const DOCS = `${PREFIX}/docs`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Astrolabe API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${DOCS}/swagger-ui.css">
<link rel="stylesheet" href="${DOCS}/theme.css">
<script src="${DOCS}/theme.js"></script>
</head>
<body>
<header><a class="brand" href="/">Astrolabe</a> <span>API reference</span> <a href="/">Back to the page of this network</a></header>
<div id="reference"></div>
<script src="${DOCS}/swagger-ui-bundle.js"></script>
<script src="${DOCS}/start.js"></script>
</body>
</html>
`

/** The theme that was chosen on the page of the network, or the system's. The library draws both: the class of the document decides. */
const THEME_SCRIPT = `const system = matchMedia('(prefers-color-scheme: dark)')
const apply = () => {
  let chosen
  try {
    chosen = localStorage.getItem('astrolabe-theme')
  } catch {}
  const isDark = chosen === 'dark' || (chosen !== 'light' && system.matches)
  document.documentElement.classList.toggle('dark-mode', isDark)
}
system.addEventListener('change', apply)
apply()
`

const THEME = `:root { color-scheme: light; --ground: #f6f4ef; --text: #1d1b20; --accent: #8a5a0b; --line: #e3ded2 }
:root.dark-mode { color-scheme: dark; --ground: #101218; --text: #ebe8e1; --accent: #e3b35c; --line: #2a2e39 }
body { margin: 0; background: var(--ground); font-family: system-ui, sans-serif }
header { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: baseline; padding: 14px 24px; border-bottom: 1px solid var(--line); color: var(--text) }
header .brand { font-weight: 700; font-size: 1.15rem; text-decoration: none }
header a { color: var(--accent) }
header a:last-child { margin-left: auto }
`

/** `title` stays: the library would change it. */
const START = `const title = document.title\nSwaggerUIBundle({ url: '${PREFIX}/swagger/doc.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', onComplete: () => { document.title = title } })\n`

/** The library sets styles on its elements; scripts come from here alone. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"

/** The machine description and the page that shows it. Answers the paths it serves. */
export function addDocs(
  app: FastifyInstance,
  routes: Route[],
  info: ApiInfo,
  others: readonly ForeignPath[] = [],
): { path: string; method: string }[] {
  const describe = (shown: Route[]) => async () => ({
    type: 'application/json',
    body: Buffer.from(writeDescription(describeApi(shown, info, others, readExamples()))),
  })
  const files: Record<string, () => Promise<{ type: string; body: Buffer }>> = {
    [`${PREFIX}/swagger/doc.json`]: describe(withPathsOfContract(routes)),
    '/openapi.json': describe(withoutAliases(routes)),
    [`${PREFIX}/openapi.json`]: describe(withoutAliases(routes)),
    [DOCS]: async () => ({ type: 'text/html; charset=UTF-8', body: Buffer.from(PAGE) }),
    [`${DOCS}/start.js`]: async () => ({ type: 'text/javascript; charset=UTF-8', body: Buffer.from(START) }),
    [`${DOCS}/theme.js`]: async () => ({ type: 'text/javascript; charset=UTF-8', body: Buffer.from(THEME_SCRIPT) }),
    [`${DOCS}/theme.css`]: async () => ({ type: 'text/css; charset=UTF-8', body: Buffer.from(THEME) }),
    [`${DOCS}/swagger-ui.css`]: () => readLibrary('swagger-ui.css', 'text/css; charset=UTF-8'),
    [`${DOCS}/swagger-ui-bundle.js`]: () => readLibrary('swagger-ui-bundle.js', 'text/javascript; charset=UTF-8'),
  }
  for (const [path, load] of Object.entries(files)) app.get(path, serveFile(load, path !== `${PREFIX}/swagger/doc.json`))
  return Object.keys(files).map((path) => ({ path, method: 'GET' }))
}

/** No two paths can match one address, which generated servers and routers refuse. */
const withoutAliases = (routes: Route[]) => routes.filter(({ schema }) => !schema.isAlias)

/** The paths that the contract names, also where they are aliases here. */
function withPathsOfContract(routes: Route[]): Route[] {
  const aliased = new Set(routes.flatMap(({ schema }) => (schema.isAlias ? [schema.operationId] : [])))
  return routes.filter(({ schema }) => schema.isAlias || !aliased.has(schema.operationId))
}

/** Recorded answers by operation id, written by `npm run gen`. */
const readExamples = () => JSON.parse(readFileSync(packagePath('data/examples.json'), 'utf8')) as Record<string, unknown>

async function readLibrary(name: string, type: string) {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  return { type, body: await readFile(join(folder, name)) }
}

const gzipAsync = promisify(gzip)

/** Files are read and compressed once, when first asked for. The contract leaves the description uncompressed. */
function serveFile(load: () => Promise<{ type: string; body: Buffer }>, compress: boolean) {
  let file: Promise<{ type: string; body: Buffer; gzipped: Buffer; etag: string }> | undefined
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { type, body, gzipped, etag } = await (file ??= prepare(load))
    reply.header('etag', etag).header('cache-control', 'public, max-age=300').header('content-security-policy', POLICY)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    reply.header('content-type', type)
    if (!compress || !wantsGzip(request.headers['accept-encoding'])) return reply.send(body)
    return reply.header('content-encoding', 'gzip').send(gzipped)
  }
}

async function prepare(load: () => Promise<{ type: string; body: Buffer }>) {
  const { type, body } = await load()
  return { type, body, gzipped: await gzipAsync(body), etag: `W/"${createHash('sha1').update(body).digest('base64url')}"` }
}
