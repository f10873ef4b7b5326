import type { Validator } from '../../../../src/client/gen/operations.ts'
import { addressOf, api } from '../../api.ts'
import { ownPart } from '../../figures/scores.ts'
import { formatCompact, formatInteger, formatPercent, formatTiaShort } from '../../format.ts'
import { useLive } from '../../live.ts'
import { SeriesPanel } from '../../parts/charts/series-panel.tsx'
import { OutLink } from '../../parts/out-link.tsx'
import { Await, Fact, Facts, Meter, Panel } from '../../parts/panels.tsx'
import { RangeChoice } from '../../parts/range-choice.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { AddressLink, Hash, Tia } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'
import { Signatures } from './signatures.tsx'
import { VALIDATOR_PARTS, ValidatorList } from './validator-lists.tsx'
import { ValidatorState } from './validators.tsx'

type Props = { id: number; query: URLSearchParams }

export function ValidatorPage({ id, query }: Props) {
  const loaded = useLoad((signal) => api.getValidator({ id }, { signal }), 'validator')
  const name = loaded.state === 'ready' ? loaded.value.moniker : String(id)
  return (
    <>
      <Title text={`Validator ${name}`} />
      <Await loaded={loaded} rows={8} missing="There is no such validator.">
        {(validator) => <Content validator={validator} query={query} />}
      </Await>
    </>
  )
}

function Content({ validator, query }: { validator: Validator; query: URLSearchParams }) {
  const { id } = validator
  return (
    <>
      <div class="bar-of-choices">
        <RangeChoice />
      </div>
      <div class="columns">
        <Panel title="Summary" actions={<a href={addressOf('getValidator', { id })}>JSON</a>}>
          <Summary validator={validator} />
        </Panel>
        <div class="stack">
          <Signatures id={id} />
          <Scores id={id} />
        </div>
      </div>
      <SeriesPanel
        title="Staking over time"
        names={[
          ['stake', 'Stake', formatTiaShort, 'last'],
          ['rewards', 'Rewards', formatTiaShort],
          ['commissions', 'Commissions', formatTiaShort],
          ['delegations', 'Delegations', formatTiaShort],
          ['unbondings', 'Unbondings', formatTiaShort],
          ['flow', 'Flow', formatTiaShort],
          ['delegations_count', 'Delegation count', formatCompact],
          ['unbondings_count', 'Unbonding count', formatCompact],
          ['cumulative_flow', 'Sum of flow', formatTiaShort, 'last'],
        ]}
        hasRange={false}
        timeframes={['hour', 'day', 'month']}
        levels={['stake', 'cumulative_flow']}
        load={(name, timeframe, span, signal) =>
          name === 'stake'
            ? api.getValidatorStakeSeries({ id, timeframe, ...span }, { signal })
            : api.getStakingSeries({ id, name, timeframe, ...span }, { signal })
        }
      />
      <Tabs label="Parts of the validator" place={['validator', id]} tabs={VALIDATOR_PARTS} query={query}>
        {(tab) => <ValidatorList part={tab} id={id} query={query} />}
      </Tabs>
    </>
  )
}

function Summary({ validator }: { validator: Validator }) {
  return (
    <Facts>
      <Fact name="State">
        <ValidatorState jailed={validator.jailed} isInactive={validator.voting_power === '0'} />
      </Fact>
      <Fact name="Operator">
        <AddressLink address={validator.address} whole copy />
      </Fact>
      <Fact name="Account">
        <AddressLink address={validator.delegator} whole copy />
      </Fact>
      <Fact name="Consensus address">
        <Hash value={validator.cons_address} what="consensus address" whole />
      </Fact>
      <Fact name="Stake">
        <Tia utia={validator.stake} /> <span class="muted">voting power {formatInteger(Number(validator.voting_power))}</span>
      </Fact>
      <Fact name="Commission">
        {formatPercent(Number(validator.rate))}{' '}
        <span class="muted">
          at most {formatPercent(Number(validator.max_rate))}, {formatPercent(Number(validator.max_change_rate))} a day
        </span>
      </Fact>
      <Fact name="Rewards">
        <Tia utia={validator.rewards} /> <span class="muted">commissions</span> <Tia utia={validator.commissions} />
      </Fact>
      {validator.version > 0 && <Fact name="Signals">version {validator.version}</Fact>}
      {validator.details && <Fact name="Details">{validator.details}</Fact>}
      {validator.website && (
        <Fact name="Website">
          <OutLink url={validator.website} />
        </Fact>
      )}
      {validator.contacts && <Fact name="Contact">{validator.contacts}</Fact>}
    </Facts>
  )
}

const SCORES = [
  ['votes_metric', 'Votes on proposals'],
  ['commission_metric', 'Low commission'],
  ['operation_time_metric', 'Time in operation, of a year'],
] as const

/** Blocks that the API looks back for signatures. */
const SCORED_BLOCKS = 1000

function Scores({ id }: { id: number }) {
  const loaded = useLoad((signal) => api.getValidatorMetrics({ id }, { signal }), 'metrics')
  const height = useLive(({ head }) => head?.last_height ?? 0)
  // The newest block is signed by the next one.
  const blocks = Math.max(1, Math.min(SCORED_BLOCKS, height - 1))
  return (
    <Panel title="Scores">
      <Await loaded={loaded} rows={5} missing="Nothing to score yet.">
        {(metrics) => (
          <Facts>
            {SCORES.map(([field, name]) => (
              <Score key={field} name={name} part={Number(metrics[field])} />
            ))}
            <Score name="Self delegation, of its stake" part={ownPart(metrics)} />
            {/* The API counts signed blocks under this name, and divides by the whole window even on a younger chain. */}
            <Score name={`Signed of ${formatInteger(blocks)} blocks`} part={Math.min(1, metrics.block_missed_count / blocks)} />
          </Facts>
        )}
      </Await>
    </Panel>
  )
}

const Score = ({ name, part }: { name: string; part: number }) => (
  <Fact name={name}>
    <Meter part={part} label={formatPercent(part)} /> <span class="number">{formatPercent(part)}</span>
  </Fact>
)
