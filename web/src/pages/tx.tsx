import type { Message, Tx } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { formatBytes, formatInteger, formatPercent, readableType, shorten } from '../format.ts'
import { Await, Choice, Empty, Fact, Facts, Meter, Panel } from '../parts/blocks.tsx'
import { Data } from '../parts/data.tsx'
import { blobColumns, Events, withoutColumns } from '../parts/lists.tsx'
import { Paged } from '../parts/paged.tsx'
import { Sentence } from '../parts/sentence.tsx'
import { PagedTable, pageOf, readPage } from '../parts/table.tsx'
import { AddressLink, BlockLink, Hash, Moment, Status, Tia } from '../parts/values.tsx'
import { linkTo } from '../router.ts'
import { Title } from '../shell/title.tsx'
import { useLoad } from '../use-load.ts'

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
  const tab = query.get('tab') ?? 'messages'
  const hasBlobs = tx.message_types.includes('MsgPayForBlobs')
  const tabs = [
    ['messages', `Messages ${formatInteger(tx.messages_count)}`],
    ['events', `Events ${formatInteger(tx.events_count)}`],
    ...(hasBlobs ? [['blobs', 'Blobs'] as const] : []),
  ] as const
  return (
    <>
      <Panel title="Summary">
        <Summary tx={tx} />
      </Panel>
      <Panel
        title={tabs.find(([name]) => name === tab)?.[1] ?? 'Messages'}
        actions={
          <Choice
            label="Parts of the transaction"
            options={tabs.map(([name, text]) => ({
              name: text,
              href: linkTo(['tx', hash], { tab: name === 'messages' ? undefined : name }),
              isChosen: name === tab,
            }))}
          />
        }
      >
        {tab === 'events' ? (
          <TxEvents hash={hash} query={query} />
        ) : tab === 'blobs' ? (
          <Blobs hash={hash} query={query} />
        ) : (
          <Messages hash={hash} query={query} />
        )}
      </Panel>
    </>
  )
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

function Messages({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listTxMessages({ hash, ...pageOf(page) }, { signal }), `messages ${page}`)
  return (
    <Paged loaded={loaded} page={page} empty={<Empty>This transaction has no messages.</Empty>}>
      {(messages) => (
        <ol class="messages">
          {messages.map((message) => (
            <MessageItem key={message.id} message={message} />
          ))}
        </ol>
      )}
    </Paged>
  )
}

export function MessageItem({ message: { type, position, size, data } }: { message: Message }) {
  return (
    <li>
      <h3>
        <span class="muted number">#{position}</span> {readableType(type)} <span class="muted">{formatBytes(size)}</span>
      </h3>
      <Sentence type={type} data={data} />
      <Data value={data} />
    </li>
  )
}

function TxEvents({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listTxEvents({ hash, ...pageOf(page) }, { signal }), `events ${page}`)
  return (
    <Paged loaded={loaded} page={page} empty={<Empty>This transaction has no events.</Empty>}>
      {(events) => <Events events={events} />}
    </Paged>
  )
}

function Blobs({ hash, query }: Props) {
  const page = readPage(query)
  const loaded = useLoad((signal) => api.listTxBlobs({ hash, ...pageOf(page) }, { signal }), `blobs ${page}`)
  return (
    <PagedTable
      caption="Blobs of the transaction"
      loaded={loaded}
      page={page}
      columns={withoutColumns(blobColumns, 'Transaction', 'Age')}
      keyOf={({ id }) => id}
      empty="This transaction has no blobs."
    />
  )
}
