import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
</head>
<body>
<nav class="swagger-ui"><div class="wrapper"><p><a href="/">Back to the page of this network</a></p></div></nav>
<div id="reference"></div>
<script src="${DOCS}/swagger-ui-bundle.js"></script>
<script src="${DOCS}/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({ url: '${PREFIX}/swagger/doc.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none' })\n`

/** The library sets styles on its elements; scripts come from here alone. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"

/** The machine description and the page that shows it. Answers the paths it serves. */
export function addDocs(
  app: FastifyInstance,
  routes: Route[],
  info: ApiInfo,
  others: readonly ForeignPath[] = [],
): { path: string; method: string }[] {
  const description = Buffer.from(writeDescription(describeApi(routes, info, others)))
  const files: Record<string, () => Promise<{ type: string; body: Buffer }>> = {
    [`${PREFIX}/swagger/doc.json`]: async () => ({ type: 'application/json', body: description }),
    '/openapi.json': async () => ({ type: 'application/json', body: description }),
    [DOCS]: async () => ({ type: 'text/html; charset=UTF-8', body: Buffer.from(PAGE) }),
    [`${DOCS}/start.js`]: async () => ({ type: 'text/javascript; charset=UTF-8', body: Buffer.from(START) }),
    [`${DOCS}/swagger-ui.css`]: () => readLibrary('swagger-ui.css', 'text/css; charset=UTF-8'),
    [`${DOCS}/swagger-ui-bundle.js`]: () => readLibrary('swagger-ui-bundle.js', 'text/javascript; charset=UTF-8'),
  }
  for (const [path, load] of Object.entries(files)) app.get(path, serveFile(load, path !== `${PREFIX}/swagger/doc.json`))
  return Object.keys(files).map((path) => ({ path, method: 'GET' }))
}

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
