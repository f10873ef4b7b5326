import { execFileSync } from 'node:child_process'

/** An interpreter that may have the packages of optional tests. */
export const PYTHON = process.env.ASTROLABE_TEST_PYTHON ?? 'python3'

/** Why a test that needs these modules is skipped: they are not there, and how to get them. False when they are. */
export function missingModules(modules: string, packages: string): string | false {
  try {
    execFileSync(PYTHON, ['-c', `import ${modules}`], { stdio: 'ignore' })
    return false
  } catch {
    return `${PYTHON} has no ${modules}: pip install ${packages}, or name an interpreter that has it in ASTROLABE_TEST_PYTHON`
  }
}
