import type { IncomingHttpHeaders } from 'node:http'
import { looksLikeOurs } from '../store/access/key-text.ts'

/** `foreign`: a key was sent, but of another service. */
export type GivenKey = { text: string } | 'foreign' | undefined

/**
 * The key of a request, from `apikey` or `Authorization: Bearer`. A client that only changed the base address still sends the key of
 * the service it came from: that is no attempt to use one of ours.
 */
export function readGivenKey({ apikey, authorization }: IncomingHttpHeaders): GivenKey {
  const texts: string[] = []
  if (apikey !== undefined) texts.push(String(apikey))
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token !== undefined) texts.push(token)
  const text = texts.find(looksLikeOurs)
  if (text !== undefined) return { text }
  return texts.length > 0 ? 'foreign' : undefined
}
