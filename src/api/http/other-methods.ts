import type { FastifyInstance, HTTPMethods, onRequestHookHandler } from 'fastify'
import { HttpError } from './errors.ts'
import { PREFLIGHT } from './headers.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY'] as const

/** 405 with `Allow` for what a path does not take, 204 for OPTIONS. HEAD is taken wherever GET is. */
export function addOtherMethods(app: FastifyInstance, routes: { path: string; method: string }[]): void {
  const allowed = new Map<string, Set<string>>()
  for (const { path, method } of routes) {
    const methods = allowed.get(path) ?? new Set()
    allowed.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  for (const [url, methods] of allowed) {
    const allow = ['OPTIONS', ...methods].join(', ')
    // In a hook, so that a body of any kind does not matter.
    const answer: onRequestHookHandler = (request, reply, done) => {
      if (request.method === 'OPTIONS')
        reply.headers(PREFLIGHT).header('allow', allow).header('access-control-allow-methods', allow).code(204).send()
      else done(new HttpError(405, 'method_not_allowed', 'Method Not Allowed', { allow }) as never)
    }
    const others = ['OPTIONS', ...METHODS.filter((method) => !methods.has(method))] as HTTPMethods[]
    app.route({ method: others, url, onRequest: answer, handler: () => {} })
  }
}

/** Methods of other protocols (PROPFIND …) have no routes; they are refused whatever the path. */
export function isForeignMethod(method: string): boolean {
  return method !== 'OPTIONS' && !(METHODS as readonly string[]).includes(method)
}
