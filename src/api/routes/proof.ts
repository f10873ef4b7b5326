import { Type } from 'typebox'
import { ValidatorSet } from '../../chain/validator-set.ts'
import { positionOf } from '../../store/pack/id.ts'
import { listBlobKeys } from '../../store/read/blob.ts'
import { findBlockSeal } from '../../store/read/proof.ts'
import { findTxKey } from '../../store/read/tx/tx.ts'
import { listPowersAt } from '../../store/read/validator-set.ts'
import type { RouteGroup } from '../route.ts'
import { BlockProof, ShareProof } from '../schema/proof.ts'
import { BlockHeight, Commitment, NamespaceHash, TxHash } from '../schema/query.ts'
import { NoContent } from '../schema/values.ts'
import { blockOfBlob, toBlockRef } from '../square/block-ref.ts'
import { proveFromBlock } from '../square/inclusion.ts'
import { toBlockProof } from '../view/proof.ts'

/** Proofs that let a client check an answer by itself (the module `verify` of the typed client does). */
export const proofRoutes: RouteGroup = (app, { db, blocks }) => {
  app.get(
    '/block/:height/proof',
    {
      schema: {
        operationId: 'get-block-proof',
        summary: 'Header, votes and validators of a block: all that a light client checks',
        description: 'In the form in which nodes print them. The votes come with the next block: until then the answer is 204.',
        tags: ['block'],
        params: Type.Object({ height: BlockHeight }),
        response: { 200: BlockProof, 204: NoContent },
      },
      needsState: false,
      cache: 'none',
      cost: 5,
    },
    async ({ params: { height } }) => {
      const seal = await findBlockSeal(db, height)
      if (!seal) return undefined
      const validators = ValidatorSet.of(await listPowersAt(db, height))
      const signed = await blocks.signedHeader?.(toBlockRef(seal), validators)
      return signed && toBlockProof(signed, validators)
    },
  )

  app.get(
    '/tx/:hash/proof',
    {
      schema: {
        operationId: 'get-tx-proof',
        summary: 'Proof that a transaction is in its block, down to the data hash of the header',
        notOnPage: 'the page verifies blobs; programs verify transactions with the client',
        description:
          'The shares in which the transaction stands, the way of each to the root of its row, and of the row to the data hash.',
        tags: ['tx'],
        params: Type.Object({ hash: TxHash }),
        response: { 200: ShareProof, 204: NoContent },
      },
      needsState: false,
      mayBeDetached: true,
      cache: 'none',
      cost: 5,
    },
    async ({ params, client }) => {
      const key = await findTxKey(db, params.hash)
      const seal = key && (await findBlockSeal(db, key.height))
      return seal && proveFromBlock(blocks, { block: toBlockRef(seal), subject: { tx: positionOf(key.id) }, client })
    },
  )

  app.get(
    '/blob/proof',
    {
      schema: {
        operationId: 'get-blob-proof',
        summary: 'Proof that a blob is in its block, down to the data hash of the header',
        description: 'The shares of the blob, the way of each to the root of its row, and of the row to the data hash.',
        tags: ['blob'],
        querystring: Type.Object({ hash: NamespaceHash, height: BlockHeight, commitment: Commitment }),
        response: { 200: ShareProof, 204: NoContent },
      },
      needsState: false,
      cache: 'none',
      cost: 5,
    },
    async ({ query: { hash: namespace, height, commitment }, client }) => {
      const [key] = await listBlobKeys(db, { namespace, height, commitment })
      if (!key) return undefined
      const subject = { tx: positionOf(key.tx_id), blob: key.position }
      return proveFromBlock(blocks, { block: blockOfBlob(height, key), subject, client })
    },
  )
}
