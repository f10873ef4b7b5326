import type { MissedBlocks, Uptimes } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { type Period, periodKey } from '../../figures/period.ts'
import { signedPart } from '../../figures/uptime.ts'
import { formatInteger, formatPercent } from '../../format.ts'
import { Await, Empty, Fact, Facts, Meter, Panel } from '../../parts/panels.tsx'
import { BlockLink } from '../../parts/values.tsx'
import { usePeriod } from '../../period.ts'
import { useLoad } from '../../use-load.ts'
import { Uptime, useUptimes } from './validators.tsx'

/** Height of the facts of a period, in pixels. */
const FACTS_HEIGHT = 126

/** Blocks of the strip: as many as the API names one by one. */
const STRIP_BLOCKS = 1000

/** Blocks of the range of the page that a validator signed and missed, and the last ones as a strip. */
export function Signatures({ id }: { id: number }) {
  const period = usePeriod()
  const loaded = useLoad(
    (signal) => (period ? api.listUptimes(inputOf(id, period), { signal }) : new Promise<never>(() => {})),
    `uptime ${period && periodKey(period)}`,
  )
  const last = useUptimes(STRIP_BLOCKS, id)
  return (
    <Panel title={period ? `Signatures ${period.words}` : 'Signatures'}>
      <Await loaded={loaded} height={FACTS_HEIGHT} missing="This period has no block whose signatures are known.">
        {(uptimes) => <Counts uptimes={uptimes} own={uptimes.validators.find((validator) => validator.id === id)} />}
      </Await>
      <h3>Last {formatInteger(last.state === 'ready' ? last.value.blocks : STRIP_BLOCKS)} blocks</h3>
      <Uptime uptimes={last} id={id} />
    </Panel>
  )
}

/** Without a beginning the API answers the last blocks instead of a period. */
const inputOf = (validator: number, { from = 0, to }: Period) => ({ validator, from, ...(to !== undefined && { to }) })

function Counts({ uptimes, own }: { uptimes: Uptimes; own: MissedBlocks | undefined }) {
  if (!own) return <Empty>The validator was not in the set of signers in this period.</Empty>
  const { signed = 0, expected = 0, missed_count = 0 } = own
  const part = signedPart(own)
  return (
    <Facts>
      <Fact name="Signed">
        <Meter part={part} label={formatPercent(part)} /> <span class="number">{formatPercent(part)}</span>{' '}
        <span class="muted">
          {formatInteger(signed)} of {formatInteger(expected)} blocks
        </span>
      </Fact>
      <Fact name="Missed">
        <span class="number">{formatInteger(missed_count)}</span> <span class="muted">blocks</span>
      </Fact>
      <Fact name="Blocks">
        <BlockLink height={uptimes.first_height ?? uptimes.last_height} /> <span class="muted">to</span>{' '}
        <BlockLink height={uptimes.last_height} />
      </Fact>
    </Facts>
  )
}
