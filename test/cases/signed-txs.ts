/** Txs that are paid or refused in ways of their own. */
import { hash } from 'node:crypto'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { AuthInfoSchema, TxRawSchema } from '../../src/decode/gen/cosmos/tx/v1beta1/types_pb.ts'
import { encodeAddress } from '../../src/lib/encoding/bech32.ts'
import { anEvent, aTx, type BuiltTx, type TxSpec } from '../builders.ts'

/** An account of 32 bytes, as interchain accounts, group policies and modules derive them. */
export function aLongAccount(name: string): { hex: string; text: string } {
  const hex = hash('sha256', `long account ${name}`, 'hex')
  return { hex, text: encodeAddress('celestia', hex) }
}

/** The fee comes out of an allowance: nobody but the granter pays, and the granter signs nothing. */
export function aGrantedTx(spec: Omit<TxSpec, 'payer'>, granter: string): BuiltTx {
  const parties = { granter, grantee: spec.from }
  const { bytes, result } = aTx({
    ...spec,
    payer: granter,
    anteEvents: [anEvent('use_feegrant', parties), anEvent('update_feegrant', parties)],
  })
  const raw = fromBinary(TxRawSchema, bytes)
  const authInfo = fromBinary(AuthInfoSchema, raw.authInfoBytes)
  authInfo.fee = { ...authInfo.fee!, payer: '', granter }
  const granted = create(TxRawSchema, { ...raw, authInfoBytes: toBinary(AuthInfoSchema, authInfo) })
  return { bytes: toBinary(TxRawSchema, granted), result }
}

/** Refused before any of it ran: no events, nothing paid, and the node reports no gas. */
export function refused(tx: BuiltTx, log = 'account sequence mismatch'): BuiltTx {
  return { ...tx, result: { ...tx.result, code: 32, codespace: 'sdk', log, events: [], gasWanted: 0n, gasUsed: 0n } }
}
