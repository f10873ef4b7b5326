import type { FastifyInstance } from 'fastify'
import { packagePath } from '../lib/package-path.ts'
import { findFile, sendFile } from './page.ts'
import { listPageFiles } from './page-files.ts'

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
