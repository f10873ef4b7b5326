import type { Supply as SupplyOf } from '../../../src/client/gen/operations.ts'
import { addressOf, api } from '../api.ts'
import { readParameter } from '../figures/parameters.ts'
import { formatInteger, formatTia, formatTiaShort, readableName } from '../format.ts'
import { useIsEmpty, useLive } from '../live.ts'
import { SeriesPanel } from '../parts/charts/series-panel.tsx'
import { Data } from '../parts/data.tsx'
import { Await, Fact, Facts, Panel, Skeleton } from '../parts/panels.tsx'
import { Siblings } from '../parts/siblings.tsx'
import { BlockLink, Hash, Moment } from '../parts/values.tsx'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'
import { useDenominations } from './accounts/use-denominations.ts'

/** Parameters of the chain, and how the index stands. */
export function NetworkPage() {
  const constants = useLoad((signal) => api.getConstants({}, { signal }), 'constants')
  return (
    <>
      <Title text="Network" actions={<Siblings family="governance" current="network" />} />
      <IndexState />
      <Supply />
      <Await loaded={constants} rows={12} missing="No parameters are known yet.">
        {({ module, denom_metadata }) => (
          <>
            <div class="columns">
              {Object.entries(module).map(([name, values]) => (
                <Panel key={name} title={`Parameters of ${readableName(name)}`}>
                  <Facts>
                    {Object.entries(values).map(([parameter, value]) => (
                      <Fact key={parameter} name={readableName(parameter)}>
                        <Parameter name={parameter} value={value} />
                      </Fact>
                    ))}
                  </Facts>
                </Panel>
              ))}
            </div>
            {denom_metadata.length > 0 && (
              <Panel title="Denominations">
                <Data value={denom_metadata} />
              </Panel>
            )}
          </>
        )}
      </Await>
    </>
  )
}

/** The parameter as people say it; its own text on demand. */
function Parameter({ name, value }: { name: string; value: string }) {
  const read = readParameter(name, value)
  if (read === undefined) return <span class="break">{value || '–'}</span>
  return (
    <details class="raw">
      <summary>{read}</summary>
      <span class="mono break">{value}</span>
    </details>
  )
}

function Supply() {
  const loaded = useLoad((signal) => api.listSupply({ limit: 100 }, { signal }), 'supply')
  return (
    <>
      <SeriesPanel
        title="Supply over time"
        names={[['supply', 'Supply', formatTiaShort, 'last']]}
        timeframes={['hour', 'day', 'month']}
        levels={['supply']}
        load={(_, timeframe, span, signal) => api.getSupplySeries({ timeframe, ...span }, { signal })}
      />
      <Panel title="Supply">
        <Await loaded={loaded} rows={3} missing="Nothing is indexed yet.">
          {(supply) => <SupplyFacts supply={supply} />}
        </Await>
      </Panel>
    </>
  )
}

/** The native coin first. */
function SupplyFacts({ supply }: { supply: SupplyOf[] }) {
  const nameOf = useDenominations(supply.map(({ currency }) => currency))
  const ordered = [...supply].sort((a, b) => Number(b.currency === 'utia') - Number(a.currency === 'utia'))
  return (
    <Facts>
      {ordered.map(({ currency, amount }) => (
        <Fact key={currency} name={nameOf(currency)}>
          <span title={currency}>{currency === 'utia' ? formatTia(amount) : amount}</span>
        </Fact>
      ))}
    </Facts>
  )
}

function IndexState() {
  const head = useLive((live) => live.head)
  const lagBlocks = useLive((live) => live.lagBlocks)
  const verifiedHeight = useLive((live) => live.verifiedHeight)
  const provenHeight = useLive((live) => live.provenHeight)
  const isEmpty = useIsEmpty()
  if (!head) return isEmpty ? null : <Skeleton rows={6} />
  return (
    <Panel title="Index" actions={<a href={addressOf('getHead', {})}>JSON</a>}>
      <Facts>
        <Fact name="Chain">{head.chain_id}</Fact>
        <Fact name="Newest block">
          <BlockLink height={head.last_height} />, <Moment time={head.last_time} />
        </Fact>
        <Fact name="Hash">
          <Hash value={head.hash} what="block hash" whole />
        </Fact>
        <Fact name="Behind the node">
          {lagBlocks === undefined ? 'not known: no node has been asked yet' : `${formatInteger(lagBlocks)} blocks`}
        </Fact>
        <Fact name="Txs verified">
          {verifiedHeight === undefined
            ? 'not known'
            : `up to block ${formatInteger(verifiedHeight)}, by the data roots of the headers`}
        </Fact>
        <Fact name="State proven">
          {provenHeight === undefined
            ? 'never: no node gave proofs yet'
            : `after block ${formatInteger(provenHeight)}, by proofs of a node`}
        </Fact>
        <Fact name="Synced">{head.synced ? 'yes' : 'no: the newest block is more than two minutes old'}</Fact>
      </Facts>
    </Panel>
  )
}
