import type { Message, Tx } from '../../../../src/client/gen/operations.ts'
import { addressOf, api } from '../../api.ts'
import { formatBytes, formatInteger, formatPercent, readableType, shorten } from '../../format.ts'
import { Data } from '../../parts/data.tsx'
import { Listing, Pages } from '../../parts/listing.tsx'
import { blobColumns, Events, withoutColumns } from '../../parts/lists.tsx'
import { Await, Fact, Facts, Meter, Panel } from '../../parts/panels.tsx'
import { Sentence } from '../../parts/sentence.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { AddressLink, BlockLink, Hash, Moment, Status, Tia } from '../../parts/values.tsx'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'

type Props = { hash: string; query: URLSearchParams }

export function TxPage({ hash, query }: Props) {
  const loaded = useLoad((signal) => api.getTx({ hash }, { signal }), 'tx')
  return (
    <>
      <Title text={`Transaction ${shorten(hash)}`} />
      <Await
        loaded={loaded}
        rows={8}
        missing="There is no such transaction. One that was just sent appears when it is in a block."
      >
        {(tx) => <Content tx={tx} hash={hash} query={query} />}
      </Await>
    </>
  )
}

function Content({ tx, hash, query }: Props & { tx: Tx }) {
  const hasBlobs = tx.message_types.includes('MsgPayForBlobs')
  const tabs = [
    ['messages', `Messages ${formatInteger(tx.messages_count)}`],
    ['events', `Events ${formatInteger(tx.events_count)}`],
    ...(hasBlobs ? [['blobs', 'Blobs'] as const] : []),
  ] as const
  return (
    <>
      <Panel title="Summary" actions={<a href={addressOf('getTx', { hash })}>JSON</a>}>
        <Summary tx={tx} />
      </Panel>
      <Tabs label="Parts of the transaction" place={['tx', hash]} tabs={tabs} query={query}>
        {(tab) => <Tab tab={tab} hash={hash} query={query} />}
      </Tabs>
    </>
  )
}

function Tab({ tab, hash, query }: Props & { tab: 'messages' | 'events' | 'blobs' }) {
  switch (tab) {
    case 'messages':
      return (
        <Pages
          caption="Messages"
          operation="listTxMessages"
          input={{ hash }}
          query={query}
          empty="This transaction has no messages."
        >
          {(messages) => <Messages messages={messages} />}
        </Pages>
      )
    case 'events':
      return (
        <Pages caption="Events" operation="listTxEvents" input={{ hash }} query={query} empty="This transaction has no events.">
          {(events) => <Events events={events} />}
        </Pages>
      )
    case 'blobs':
      return (
        <Listing
          caption="Blobs of the transaction"
          operation="listTxBlobs"
          input={{ hash }}
          columns={withoutColumns(blobColumns, 'Transaction', 'Age')}
          keyOf={({ id }) => id}
          query={query}
          empty="This transaction has no blobs."
        />
      )
  }
}

function Summary({ tx }: { tx: Tx }) {
  const gasPart = tx.gas_wanted > 0 ? tx.gas_used / tx.gas_wanted : 0
  return (
    <>
      {tx.error && (
        <div class="failure">
          <p>
            <strong>It failed{isNamed(tx.codespace) && ` in ${tx.codespace}`}:</strong> <span class="break">{tx.error}</span>
          </p>
        </div>
      )}
      <Facts>
        <Fact name="Hash">
          {tx.hash === '' ? (
            <span class="muted">none: part of the genesis document</span>
          ) : (
            <Hash value={tx.hash} what="transaction hash" whole />
          )}
        </Fact>
        <Fact name="Status">
          <Status status={tx.status} />
        </Fact>
        <Fact name="Block">
          <BlockLink height={tx.height} /> <span class="muted">position {tx.position}</span>
        </Fact>
        <Fact name="Time">
          <Moment time={tx.time} />
        </Fact>
        <Fact name={tx.signers?.length === 1 ? 'Signer' : 'Signers'}>
          {tx.signers?.length ? tx.signers.map((signer) => <AddressLink key={signer.hash} address={signer} whole copy />) : '–'}
        </Fact>
        <Fact name="Fee">
          <Tia utia={tx.fee} />{' '}
          {tx.gas_wanted > 0 && <span class="muted">{(Number(tx.fee) / tx.gas_wanted).toPrecision(3)} utia per gas</span>}
        </Fact>
        <Fact name="Gas used">
          {formatInteger(tx.gas_used)} <Meter part={gasPart} label={`${formatPercent(gasPart)} of what was asked for`} />
          <span class="muted">
            {' '}
            {formatPercent(gasPart)} of {formatInteger(tx.gas_wanted)}
          </span>
        </Fact>
        {tx.memo && (
          <Fact name="Memo">
            <span class="break">{tx.memo}</span>
          </Fact>
        )}
        {tx.timeout_height > 0 && <Fact name="Valid until">block {formatInteger(tx.timeout_height)}</Fact>}
      </Facts>
    </>
  )
}

/** `undefined` is the SDK's own name for errors outside of any module. */
const isNamed = (codespace?: string) => codespace !== undefined && codespace !== '' && codespace !== 'undefined'

export const Messages = ({ messages }: { messages: readonly Message[] }) => (
  <ol class="messages">
    {messages.map(({ id, type, position, size, data }) => (
      <li key={id}>
        <h3>
          <span class="muted number">#{position}</span> {readableType(type)} <span class="muted">{formatBytes(size)}</span>
        </h3>
        <Sentence type={type} data={data} />
        <Data value={data} />
      </li>
    ))}
  </ol>
)
