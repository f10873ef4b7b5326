import { useEffect } from 'preact/hooks'
import { api } from '../api.ts'
import { Await, Panel } from '../parts/panels.tsx'
import { Table } from '../parts/table.tsx'
import { goInstead } from '../router.ts'
import { describeHit, type Hit } from '../search-hit.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'

export function SearchPage({ query }: { query: URLSearchParams }) {
  const text = query.get('q') ?? ''
  const loaded = useLoad(
    async (signal) => (text === '' ? [] : (await api.search({ query: text }, { signal })).map(describeHit)),
    text,
  )
  const only = loaded.state === 'ready' && loaded.value.length === 1 ? loaded.value[0] : undefined
  // One hit is what was meant: it is opened and never listed, and going back leads past this page.
  useEffect(() => {
    if (only) goInstead(only.href)
  }, [only])
  return (
    <>
      <Title text={`Search for ${text || 'nothing'}`}>Search</Title>
      <Panel title={`Results for “${text}”`}>
        <Await loaded={only ? { state: 'loading' } : loaded} rows={5}>
          {(hits) => (
            <Table
              caption="Results"
              columns={[
                { title: 'Kind', cell: ({ kind }: Hit) => <span class="badge">{kind}</span> },
                { title: 'Name', cell: ({ name, href }: Hit) => <a href={href}>{name}</a> },
                { title: 'Detail', wide: true, cell: ({ detail }: Hit) => <span class="mono muted">{detail}</span> },
              ]}
              rows={hits}
              keyOf={({ href }) => href}
              empty="Nothing found. Try a height, a hash of 64 characters, an address, a namespace, the number of a proposal, an IBC channel, or part of a name."
            />
          )}
        </Await>
      </Panel>
    </>
  )
}
