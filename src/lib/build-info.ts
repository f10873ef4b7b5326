import { readFileSync } from 'node:fs'
import { packagePath } from './package-path.ts'

export type BuildInfo = { version: string; commit: string; description: string }

/** Version of the package and the commit it was compiled from. */
export function readBuildInfo(): BuildInfo {
  const { version, description } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as Omit<BuildInfo, 'commit'>
  return { version, description, commit: readFileSync(packagePath('build/commit'), 'utf8') }
}
