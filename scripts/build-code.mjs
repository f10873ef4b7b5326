// Compiles every changed file alone, as tests, benches and the other scripts use them, without checking types: `npm run check` does that. What runs is the bundle
// that build-program.mjs makes.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { transform } from 'rolldown/utils'
import { bundledImportsOf, bundlePackages, importBundles } from './bundle-packages.mjs'
import { buildIfStale, builtAt, LIBRARY_RECIPE, root } from './stamp.mjs'

/** Of the page, the functions that compute what it shows: tests use them too. */
const FOLDERS = ['src', 'test', 'bench', 'examples', 'web/src']
/** When one of these changes, every file is compiled again. */
const RECIPE = ['scripts/build-code.mjs', ...LIBRARY_RECIPE]

const listFiles = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith(ending))

async function compile(source) {
  const target = join(root, 'build', source.replace(/\.ts$/, '.js'))
  const { code, map, errors } = await transform(source, readFileSync(join(root, source), 'utf8'), {
    target: 'es2023',
    sourcemap: true,
    typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
  })
  if (errors.length > 0) throw new Error(`${source}: ${errors[0].message}`)
  mkdirSync(dirname(target), { recursive: true })
  const mapped = {
    ...(typeof map === 'string' ? JSON.parse(map) : map),
    sources: [relative(dirname(target), join(root, source))],
  }
  writeFileSync(`${target}.map`, JSON.stringify(mapped))
  writeFileSync(target, `${importBundles(code, target)}\n//# sourceMappingURL=${basename(target)}.map\n`)
}

/** Output of deleted sources would still be found by the test runner. */
function removeOrphans(sources) {
  for (const folder of FOLDERS) {
    mkdirSync(join(root, 'build', folder), { recursive: true })
    for (const built of listFiles(join('build', folder), '.js'))
      if (!sources.has(built.slice('build/'.length).replace(/\.js$/, '.ts')))
        for (const file of [built, `${built}.map`]) rmSync(join(root, file), { force: true })
  }
}

async function compileStale() {
  const sources = new Set(FOLDERS.flatMap((folder) => listFiles(folder, '.ts')).filter((name) => !name.endsWith('.d.ts')))
  const recipeAt = Math.max(...RECIPE.map((name) => statSync(join(root, name)).mtimeMs))
  const isStale = (source) => {
    const at = builtAt(join('build', source.replace(/\.ts$/, '.js')))
    return at < recipeAt || at < statSync(join(root, source)).mtimeMs
  }
  removeOrphans(sources)
  const imports = new Set([...sources].flatMap((source) => bundledImportsOf(readFileSync(join(root, source), 'utf8'))))
  const stale = [...sources].filter(isStale)
  await Promise.all([bundlePackages(imports, recipeAt), ...stale.map(compile)])
}

await buildIfStale('build/.built', [...FOLDERS, ...RECIPE], 'tests and benches', compileStale)
