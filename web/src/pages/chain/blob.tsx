import type { Blob as BlobAnswer, BlobLog } from '../../../../src/client/gen/operations.ts'
import { api } from '../../api.ts'
import { formatBytes, shorten } from '../../format.ts'
import { BlobContent } from '../../parts/blob-content.tsx'
import { Await, Fact, Facts, Panel } from '../../parts/panels.tsx'
import { BlobProof } from '../../parts/proofs/blob-proof.tsx'
import { AddressLink, BlockLink, Hash, Moment, NamespaceLink, TxLink } from '../../parts/values.tsx'
import { linkTo } from '../../router.ts'
import { Title } from '../../shell/title.tsx'
import { useLoad } from '../../use-load.ts'

type Props = { height: number; namespace: string; commitment: string }

export function BlobPage({ height, namespace, commitment }: Props) {
  const place = { height, hash: namespace, commitment }
  const loaded = useLoad((signal) => api.getBlobMetadata(place, { signal }), 'blob')
  return (
    <>
      <Title text={`Blob ${shorten(commitment)}`} />
      <Await loaded={loaded} rows={8} missing="There is no such blob in this block.">
        {(blob) => (
          <>
            <Panel title="Summary">
              <Summary blob={blob} />
            </Panel>
            <BlobProof place={place} />
            <Content place={place} />
          </>
        )}
      </Await>
    </>
  )
}

function Summary({ blob }: { blob: BlobLog }) {
  return (
    <Facts>
      <Fact name="Commitment">
        <Hash value={blob.commitment} what="commitment" whole />
      </Fact>
      {blob.namespace && (
        <Fact name="Namespace">
          <NamespaceLink hash={blob.namespace.hash} name={blob.namespace.name} />
        </Fact>
      )}
      <Fact name="Size">
        {formatBytes(blob.size)} <span class="muted">share version {blob.share_version}</span>
      </Fact>
      <Fact name="Content">{blob.content_type}</Fact>
      <Fact name="Block">
        <BlockLink height={blob.height} />
      </Fact>
      <Fact name="Time">
        <Moment time={blob.time} />
      </Fact>
      {blob.signer && (
        <Fact name="Signer">
          <AddressLink address={blob.signer} whole copy />
        </Fact>
      )}
      {blob.tx && (
        <Fact name="Transaction">
          <TxLink hash={blob.tx.hash} whole copy />
        </Fact>
      )}
      {blob.rollup && (
        <Fact name="Rollup">
          <a href={linkTo(['rollup', blob.rollup.slug])}>{blob.rollup.name}</a>
        </Fact>
      )}
    </Facts>
  )
}

/** The bytes come from the node, which may have pruned them: the rest of the page does not depend on it. */
function Content({ place }: { place: { height: number; hash: string; commitment: string } }) {
  const loaded = useLoad<BlobAnswer>((signal) => api.getBlob(place, { signal }), 'content')
  return (
    <Panel title="Content">
      <Await loaded={loaded} rows={6} missing="The content is no longer available.">
        {(blob) => <BlobContent base64={blob.data} type={blob.content_type} commitment={blob.commitment} />}
      </Await>
    </Panel>
  )
}
