// Writes docs/config.schema.json and docs/settings.md from the settings of the program. Run after `npm run build`.
import { writeFileSync } from 'node:fs'
import { describeSettings, makeJsonSchema } from '../build/src/config/describe.js'

const root = new URL('..', import.meta.url)
const write = (path, text) => writeFileSync(new URL(path, root), text)

write('docs/config.schema.json', `${JSON.stringify(makeJsonSchema(), null, 2)}\n`)
write(
  'docs/settings.md',
  `<!-- made by scripts/gen-config.mjs -->
# Settings

Settings come from a JSON file (\`--config FILE\` or \`ASTROLABE_CONFIG\`, schema in \`config.schema.json\`), then from environment variables, then from the command line; the later wins. Without any, the bundled recordings are served as three networks.

${describeSettings()}`,
)
