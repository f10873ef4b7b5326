import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../api/http/errors.ts'
import { addOtherMethods } from '../api/http/other-methods.ts'
import { packagePath } from '../lib/package-path.ts'
import { isPagePath, PAGE_PLACES } from '../types/page-places.ts'
import { nameDocument } from './document-name.ts'
import { listPageFiles, type PageFile, type PageFiles } from './page-files.ts'

/** A network as the page links to it. `demo`: its chain is generated, and the page says so. */
export type PageNetwork = { name: string; kind: 'main' | 'test'; chain_id?: string; url: string; demo?: true }

/** By namespace in base64, and by the name of a rollup. */
export type PageColours = { namespaces: Record<string, string>; rollups: Record<string, string> }

export type PageOptions = {
  /** name of the network that this address serves */
  network: string
  /** Asked at every request: ports are known only once everything listens. */
  networks: () => readonly PageNetwork[]
  /** Height of the newest block; undefined while there is none. */
  newestHeight: () => number | undefined
  /** registered colours of namespaces and rollups, as they are now */
  colours?: () => Promise<PageColours>
  attribution?: { name: string; url: string; text: string; example: string }
  /** Address of the paid surface, where plans are sold; asked at every request. */
  shop?: () => string | undefined
  /** folder of the built page */
  folder?: string
}

/**
 * Everything comes from this address, data and the WebSocket too: no script, style, font or picture of others, no frame around it. Only
 * purchases of plans go to the paid surface.
 */
const policyOf = (shop: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    shop === undefined ? "connect-src 'self'" : `connect-src 'self' ${new URL(shop).origin}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const DAY = 86_400
/** Names of built files hold a digest of their content. */
const FOREVER = `public, max-age=${365 * DAY}, immutable`
const ASK_AGAIN = 'no-cache'

/** The explorer at `/` of a network: static files that use nothing but the public API. Call it before the app listens. */
export function registerPage(app: FastifyInstance, options: PageOptions): void {
  const files = listPageFiles(options.folder ?? packagePath('build', 'page'))
  const paths = [...files.keys()].filter((path) => path !== '/' && !path.endsWith('.html'))
  const find = (path: string) => findFile(files, path)
  const serve = async (path: string, request: FastifyRequest, reply: FastifyReply) =>
    sendFile(await find(path), path, request, reply, { shop: options.shop?.() })
  const servePlace = async (request: FastifyRequest, reply: FastifyReply) => {
    const { network, networks, attribution } = options
    // Without them the page is as useful: colours follow from the names.
    const colours = await options.colours?.().catch(() => undefined)
    const site = { current: network, networks: networks(), attribution, colours }
    const place = { path: request.url, network, origin: originOf(request), site }
    const isThere = hasPlace(request.url, options.newestHeight())
    const answer = { status: isThere ? 200 : 404, shop: options.shop?.() }
    return sendFile(nameDocument(await find('/'), place), '/', request, reply, answer)
  }
  for (const url of paths) app.route({ method: ['GET', 'HEAD'], url, handler: (request, reply) => serve(url, request, reply) })
  const places = ['/', ...Object.keys(PAGE_PLACES).flatMap((place) => [`/${place}`, `/${place}/*`])]
  for (const url of places)
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => servePlace(request, reply),
    })
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && isVisit(request) && files.has('/')) return servePlace(request, reply)
  })
  addOtherMethods(
    app,
    [...new Set([...paths, ...places])].flatMap((path) => ['GET', 'HEAD'].map((method) => ({ path, method }))),
  )
}

/** Whether something is at a place, as far as that is known without a question to the database. */
function hasPlace(url: string, newestHeight: number | undefined): boolean {
  const [path = ''] = url.split('?')
  const height = /^\/block\/(\d+)\/?$/.exec(path)?.[1]
  return isPagePath(path) && !(height !== undefined && newestHeight !== undefined && Number(height) > newestHeight)
}

/** A person at a browser; programs that ask the API hear from it in its own words. */
const isVisit = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/v1/') && /\btext\/html\b/.test(headers.accept ?? '')

/** A proxy in front says which scheme the visitor used. */
function originOf({ headers, protocol, host }: FastifyRequest): string {
  const forwarded = headers['x-forwarded-proto']
  return `${forwarded === 'https' || forwarded === 'http' ? forwarded : protocol}://${host}`
}

export function findFile(files: PageFiles, path: string): Promise<PageFile> {
  const file = files.get(path)
  if (!file) throw new HttpError(503, 'page_not_built', 'the page is not built: run `npm run build`', { 'retry-after': '60' })
  return file.load()
}

export function sendFile(
  file: PageFile,
  path: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { status = 200, shop }: { status?: number; shop?: string | undefined } = {},
): FastifyReply {
  reply
    .code(status)
    .header('etag', file.etag)
    .header('cache-control', path.startsWith('/assets/') ? FOREVER : ASK_AGAIN)
    .header('content-security-policy', policyOf(shop))
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('x-frame-options', 'DENY')
  if (status === 200 && headers['if-none-match'] === file.etag) return reply.code(304).send()
  reply.header('content-type', file.type)
  const { encoding, body } = file.choose(headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply.send(body)
}

/** The document of the operator's view; the public page does not serve it. */
export const OPERATOR_DOCUMENT = '/operator.html'

/** The operator's view at `/` of the operator's API, so that a key never leaves this address. Call it before the app listens. */
export function registerOperatorPage(app: FastifyInstance, folder = packagePath('build', 'page')): void {
  const files = listPageFiles(folder)
  const paths = new Map([['/', OPERATOR_DOCUMENT], ...[...files.keys()].filter(isShared).map((path) => [path, path] as const)])
  for (const [url, path] of paths)
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => sendFile(await findFile(files, path), path, request, reply),
    })
}

/** Scripts, styles and pictures; documents belong to their own address. */
const isShared = (path: string) => path !== '/' && !/\.(html|txt)$/.test(path)
