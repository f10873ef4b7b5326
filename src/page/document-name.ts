import { createHash } from 'node:crypto'
import { writeJson } from '../api/http/write-json.ts'
import { isPagePlace, PAGE_PLACES } from '../types/page-places.ts'
import type { PageFile } from './page-files.ts'

const LONGEST_NAME = 24

/** Title of an address: previews and search engines read the document before any script has run. */
export function namePlace(path: string): string | undefined {
  const [kind = '', first] = (path.split('?')[0] ?? '').split('/').filter(Boolean)
  if (!isPagePlace(kind)) return undefined
  if (first === undefined) return PAGE_PLACES[kind]
  const name = decodePart(first)
  return `${PAGE_PLACES[kind]} ${name.length > LONGEST_NAME ? `${name.slice(0, 12)}…${name.slice(-6)}` : name}`
}

/** `origin`: scheme and host as the visitor sees them. `site`: what the page knows before its first request. */
type NamedPlace = { path: string; network: string; origin: string; site: unknown }

/** The document with the title of its place, for the window and for previews of links, and with the networks beside it. */
export function nameDocument(file: PageFile, { path, network, origin, site }: NamedPlace): PageFile {
  const title = escapeHtml([namePlace(path), network, 'Astrolabe'].filter(Boolean).join(' · '))
  const text = file.plain
    .toString('utf8')
    .replace(/<title>[^<]*<\/title>/, () => `<title>${title}</title>`)
    .replace(/(<meta property="og:title" content=")[^"]*/, (_, start: string) => `${start}${title}`)
    // Previews are drawn elsewhere, where a path alone leads nowhere.
    .replace(/(<meta property="og:image" content=")(?=\/)/, (_, start: string) => `${start}${escapeHtml(origin)}`)
    // Data, not a script: the policy lets no script stand in the document. Markup within the JSON is escaped.
    .replace('</head>', () => `<script type="application/json" id="site">${writeJson(site)}</script>\n</head>`)
  const body = Buffer.from(text)
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { type: file.type, plain: body, etag, choose: () => ({ body }) }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!)
