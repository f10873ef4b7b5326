// Describes the datasets of `astrolabe export` for docs/datasets.md, from their definitions.
import { isState } from '../build/src/store/export/dataset.js'
import { DATASETS } from '../build/src/store/export/datasets.js'

export function describeDatasets() {
  return `<!-- made by scripts/describe-datasets.mjs from src/store/export: edit that -->
# Datasets

Tables that [\`astrolabe export\`](export.md) writes. \`?\` marks a column that may be null; how types are written is in [export.md](export.md#types).
\`(blocks.height)\` names the column of another dataset that holds the value.

| Dataset | Holds |
|---|---|
${DATASETS.map((dataset) => `| [${dataset.name}](#${dataset.name}) | ${dataset.about}${isState(dataset) ? '; every run replaces it' : ''} |`).join('\n')}

${DATASETS.map(describeDataset).join('\n\n')}
`
}

const describeDataset = ({ name, columns }) =>
  [
    `## ${name}`,
    '',
    '| Column | Type | Meaning |',
    '|---|---|---|',
    ...Object.entries(columns).map(([column, [type, about]]) => `| ${column} | ${type} | ${about} |`),
  ].join('\n')
