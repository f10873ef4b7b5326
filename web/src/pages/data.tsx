import type { Dataset, DatasetColumn } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { Copy } from '../parts/copy.tsx'
import { Await, Choice, Panel } from '../parts/panels.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { linkHere } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'

/** Datasets of this release; the room of their list is kept while it loads. */
const USUAL_COUNT = 24

const typeOf = ({ type, nullable }: DatasetColumn) => `${type}${nullable ? ', may be null' : ''}`

const columns: Column<DatasetColumn>[] = [
  {
    title: 'Column',
    cell: (column) => (
      <>
        <code>{column.name}</code>
        <small class="narrow">{typeOf(column)}</small>
      </>
    ),
  },
  { title: 'Type', wide: true, cell: typeOf },
  { title: 'Meaning', cell: ({ description }) => description },
]

/** Index of the datasets that an operator can export, with the meaning of every column. */
export function DataPage({ query }: { query: URLSearchParams }) {
  const loaded = useLoad((signal) => api.listDatasets({}, { signal }), 'datasets')
  const formats = loaded.state === 'ready' ? loaded.value.formats : ['parquet']
  const format = formats.find((name) => name === query.get('format')) ?? formats[0]!
  return (
    <>
      <Title text="Data" />
      <p class="muted">
        The operator of an index exports these tables as files for DuckDB, Spark, pandas or a spreadsheet. They hold final heights
        only, and the same command adds what is new. For a few thousand rows, use the CSV button below a list, or the API.
      </p>
      <Panel
        title="Datasets"
        actions={
          <Choice
            label="Format of the files"
            options={formats.map((name) => ({
              name,
              href: linkHere({ format: name === formats[0] ? undefined : name }),
              isChosen: name === format,
            }))}
          />
        }
      >
        <Await loaded={loaded} rows={USUAL_COUNT}>
          {({ datasets }) => (
            <ul class="datasets">
              {datasets.map((dataset) => (
                <li key={dataset.name}>
                  <Entry dataset={dataset} command={`astrolabe export ./data --datasets ${dataset.name} --format ${format}`} />
                </li>
              ))}
            </ul>
          )}
        </Await>
      </Panel>
    </>
  )
}

function Entry({ dataset, command }: { dataset: Dataset; command: string }) {
  const { name, description, replaced } = dataset
  return (
    <details>
      <summary>
        <code>{name}</code> <span class="muted">{description}</span>
      </summary>
      <p>
        <code class="break">{command}</code> <Copy value={command} what={`command for ${name}`} />
      </p>
      <p class="muted">
        {replaced
          ? 'Every run replaces the whole table with its state after the last final height.'
          : 'Rows are added by height and never change.'}
      </p>
      <Table caption={`Columns of ${name}`} columns={columns} rows={dataset.columns} keyOf={(column) => column.name} />
    </details>
  )
}
