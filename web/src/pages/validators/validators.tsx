import type { Uptimes, Validator } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatCompact, formatInteger, formatPercent, shorten } from '../../format.ts'
import { useLive } from '../../live.ts'
import { MissedStrip } from '../../parts/charts/missed-strip.tsx'
import { UptimeStrip } from '../../parts/charts/uptime.tsx'
import { Await, Bone, Meter, Panel, Tile } from '../../parts/panels.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { type Loaded, useLoad } from '../../use-load.ts'
import { useThrottled } from '../../use-throttled.ts'

export function ValidatorsPage() {
  const count = useLoad((signal) => api.countValidators({}, { signal }), 'count')
  const loaded = useLoad(listAll, 'validators')
  const uptimes = useUptimes(SHOWN_BLOCKS)
  const total = useLive(({ head }) => Number(head?.total_voting_power ?? 0))
  return (
    <>
      <Title text="Validators" />
      <section class="board small" aria-label="Numbers">
        {(['total', 'active', 'inactive', 'jailed'] as const).map((name) => (
          <Tile key={name} name={name}>
            {count.state === 'ready' ? formatInteger(count.value[name]) : <Bone width={3} />}
          </Tile>
        ))}
      </section>
      <Panel title={`Missed signatures of the last ${SHOWN_BLOCKS} blocks`}>
        <Await loaded={uptimes} rows={2}>
          {(known) => <MissedStrip uptimes={known} />}
        </Await>
      </Panel>
      <Panel title="By voting power">
        <Await loaded={loaded} rows={10}>
          {(validators) => (
            <Table
              caption="Validators by voting power"
              columns={columnsOf(
                total,
                count.state === 'ready' ? findInactive(validators, count.value.active) : new Set(),
                uptimes,
              )}
              rows={validators}
              keyOf={({ id }) => id}
            />
          )}
        </Await>
      </Panel>
    </>
  )
}

const SHOWN_BLOCKS = 100
const PAGE = 100

async function listAll(signal: AbortSignal): Promise<Validator[]> {
  const all: Validator[] = []
  for (;;) {
    const page = await api.listValidators({ limit: PAGE, offset: all.length }, { signal })
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

/** The chain takes the strongest that are not jailed; those after them wait. */
function findInactive(validators: Validator[], active: number): Set<number> {
  const free = validators.filter(({ jailed }) => !jailed)
  return new Set(free.slice(active).map(({ id }) => id))
}

export function ValidatorState({ jailed, isInactive = false }: { jailed: boolean; isInactive?: boolean }) {
  if (jailed) return <span class="badge bad">Jailed</span>
  return isInactive ? <span class="badge">Inactive</span> : <span class="badge good">Active</span>
}

const columnsOf = (total: number, inactive: Set<number>, uptimes: Loaded<Uptimes>): Column<Validator>[] => [
  { title: '#', wide: true, cell: (_, i) => <span class="muted">{i + 1}</span> },
  {
    title: 'Name',
    cell: ({ id, moniker, cons_address, jailed }) => (
      <>
        <a href={linkTo(['validator', id])}>{moniker || shorten(cons_address)}</a>
        {/* Where there is no room for the last column. */}
        {(jailed || inactive.has(id)) && (
          <small class="narrow">
            <ValidatorState jailed={jailed} isInactive={inactive.has(id)} />
          </small>
        )}
      </>
    ),
  },
  {
    title: 'Voting power',
    end: true,
    cell: ({ voting_power }) => {
      const part = total > 0 ? Number(voting_power) / total : 0
      return (
        <span title={formatInteger(Number(voting_power))}>
          {formatCompact(Number(voting_power))}{' '}
          <span class="wide">
            <Meter part={part} label={formatPercent(part)} />
          </span>
        </span>
      )
    },
  },
  { title: 'Commission', end: true, wide: true, cell: ({ rate }) => formatPercent(Number(rate)) },
  { title: 'Signals', end: true, wide: true, cell: ({ version }) => (version > 0 ? `v${version}` : '–') },
  {
    title: `Last ${SHOWN_BLOCKS}`,
    cell: ({ id }) => <Uptime uptimes={uptimes} id={id} />,
  },
  {
    title: 'State',
    end: true,
    wide: true,
    cell: ({ id, jailed }) => <ValidatorState jailed={jailed} isInactive={inactive.has(id)} />,
  },
]

/** Missed blocks of all validators, or of one, by one request. */
export function useUptimes(blocks: number, validator?: number): Loaded<Uptimes> {
  const height = useThrottled(
    useLive(({ head }) => head?.last_height ?? 0),
    5000,
  )
  const input = { limit: blocks, ...(validator !== undefined && { validator }) }
  return useLoad((signal) => api.listUptimes(input, { signal }), `uptimes ${blocks} ${validator ?? ''}`, height)
}

export function Uptime({ uptimes, id }: { uptimes: Loaded<Uptimes>; id: number }) {
  if (uptimes.state === 'loading') return <Bone width={20} />
  const own = uptimes.state === 'ready' ? uptimes.value.validators.find((validator) => validator.id === id) : undefined
  if (uptimes.state !== 'ready' || !own) return <span class="muted">unknown</span>
  return <UptimeStrip last={uptimes.value.last_height} blocks={uptimes.value.blocks} missed={own.missed ?? []} />
}
