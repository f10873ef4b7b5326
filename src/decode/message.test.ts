import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, type Message, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { GenMessage } from '@bufbuild/protobuf/codegenv2'
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt'
import { mutateBytes, readRecordedTxs, seededRandom } from '../../test/recorded-txs.ts'
import { fromUtf8, toBase64 } from '../lib/encoding/bytes.ts'
import { decodeAny, schemaOf } from './any.ts'
import { encodeJsonMessage, MessageJsonError } from './from-json.ts'
import { MsgForwardSchema } from './gen/celestia/forwarding/v1/types_pb.ts'
import { MsgExecSchema } from './gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgMultiSendSchema, MsgSendSchema } from './gen/cosmos/bank/v1beta1/types_pb.ts'
import { CoinSchema } from './gen/cosmos/base/v1beta1/types_pb.ts'
import { MsgSubmitProposalSchema } from './gen/cosmos/gov/v1/types_pb.ts'
import { MsgSubmitProposalSchema as LegacyProposalSchema } from './gen/cosmos/gov/v1beta1/types_pb.ts'
import { ParameterChangeProposalSchema } from './gen/cosmos/params/v1beta1/types_pb.ts'
import { MsgEditValidatorSchema, MsgUpdateParamsSchema } from './gen/cosmos/staking/v1beta1/types_pb.ts'
import { MsgSetMailboxSchema } from './gen/hyperlane/core/v1/types_pb.ts'
import { CosmosTxSchema } from './gen/ibc/applications/interchain_accounts/v1/types_pb.ts'
import { MsgRecvPacketSchema } from './gen/ibc/core/channel/v1/types_pb.ts'
import { MsgCreateClientSchema, MsgUpdateClientSchema } from './gen/ibc/core/client/v1/types_pb.ts'
import { ClientStateSchema, ConsensusStateSchema, HeaderSchema } from './gen/ibc/lightclients/tendermint/v1/types_pb.ts'
import { messageData } from './message.ts'
import { decodeTx } from './tx.ts'

function pack<T extends Message>(schema: GenMessage<T>, init: MessageInitShape<GenMessage<T>>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, init)) })
}

function dataOf({ typeUrl, value }: Any, success = true): Record<string, unknown> {
  return messageData(typeUrl, value, { success }) as Record<string, unknown>
}

const send = pack(MsgSendSchema, { fromAddress: 'a', toAddress: 'b', amount: [{ denom: 'utia', amount: '7' }] })
const sendData = { FromAddress: 'a', ToAddress: 'b', Amount: [{ Denom: 'utia', Amount: '7' }] }

test('an unknown type and bytes of another type are kept as they are', () => {
  const value = Uint8Array.of(1, 2, 3)
  const raw = { TypeUrl: '/x.Y', Value: 'AQID' }
  assert.deepEqual(messageData('/x.Y', value, { success: true }), raw)
  assert.equal(decodeAny('/x.Y', value), undefined)
  assert.deepEqual(messageData(send.typeUrl, Uint8Array.of(0x0a, 0x7f), { success: true }), {
    TypeUrl: send.typeUrl,
    Value: 'Cn8=',
  })
})

test('unset values are written as the chain writes them', () => {
  assert.deepEqual(dataOf(pack(MsgEditValidatorSchema, { validatorAddress: 'v' })), {
    Description: null,
    ValidatorAddress: 'v',
    CommissionRate: null,
    MinSelfDelegation: null,
  })
  assert.deepEqual(dataOf(pack(MsgSetMailboxSchema, { renounceOwnership: true })), {
    Owner: '',
    MailboxId: `0x${'0'.repeat(64)}`,
    DefaultIsm: null,
    DefaultHook: null,
    RequiredHook: null,
    NewOwner: '',
    RenounceOwnership: true,
  })
})

test('decimals have 18 digits and durations are seconds', () => {
  const data = dataOf(
    pack(MsgUpdateParamsSchema, {
      params: {
        unbondingTime: { seconds: 3600n, nanos: 500_000_000 },
        maxValidators: 100,
        minCommissionRate: '50000000000000000',
      },
    }),
  )
  assert.deepEqual(data.Params, {
    UnbondingTime: '3600.500s',
    MaxValidators: 100,
    MaxEntries: 0,
    HistoricalEntries: 0,
    BondDenom: '',
    MinCommissionRate: '0.050000000000000000',
  })
})

test('messages of MsgExec have no type, those of a proposal do', () => {
  const exec = pack(MsgExecSchema, { grantee: 'g', msgs: [send, pack(MsgExecSchema, { grantee: 'h', msgs: [send] })] })
  assert.deepEqual(dataOf(exec), { Grantee: 'g', Msgs: [sendData, { Grantee: 'h', Msgs: [sendData] }] })
  const proposal = pack(MsgSubmitProposalSchema, { messages: [send], title: 't' })
  assert.deepEqual(dataOf(proposal).Messages, [{ '@type': '/cosmos.bank.v1beta1.MsgSend', ...sendData }])
})

test('a legacy proposal shows its content, which says its type', () => {
  const content = pack(ParameterChangeProposalSchema, {
    title: 't',
    description: 'd',
    changes: [{ subspace: 'staking', key: 'MaxValidators', value: '105' }],
  })
  assert.deepEqual(dataOf(pack(LegacyProposalSchema, { content, proposer: 'p' })), {
    Content: {
      '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
      Title: 't',
      Description: 'd',
      Changes: [{ Subspace: 'staking', Key: 'MaxValidators', Value: '105' }],
    },
    InitialDeposit: [],
    Proposer: 'p',
  })
})

test('a message nested fifty times is shown down to a limit and raw below it', () => {
  let message = send
  for (let i = 0; i < 50; i++) message = pack(MsgExecSchema, { grantee: String(i), msgs: [message] })
  let data = dataOf(message)
  let depth = 0
  while ('Msgs' in data) {
    data = (data.Msgs as Record<string, unknown>[])[0]!
    depth++
  }
  assert.equal(depth, 16)
  assert.equal(data.TypeUrl, '/cosmos.authz.v1beta1.MsgExec')
  assert.equal(typeof data.Value, 'string')
})

test('nesting that doubles at every level costs no more than the limit of messages', () => {
  let message = pack(MsgExecSchema, { grantee: 'g' })
  for (let i = 0; i < 15; i++) message = pack(MsgExecSchema, { msgs: [message, message] })
  let count = 0
  let raw = 0
  const walk = (data: Record<string, unknown>) => {
    if ('TypeUrl' in data) raw++
    else count++
    for (const inner of (data.Msgs ?? []) as Record<string, unknown>[]) walk(inner)
  }
  walk(dataOf(message))
  assert.equal(count, 10_000)
  assert.ok(raw > 0)
})

test('a value with more parts than fit into memory is not decoded', () => {
  const value = new Uint8Array(1_000_000)
  for (let i = 0; i < value.length; i += 2) value[i] = 0x0a
  assert.equal(decodeAny(`/${MsgMultiSendSchema.typeName}`, value), undefined)
  assert.ok(decodeAny(`/${MsgMultiSendSchema.typeName}`, value.subarray(0, 500_000)))
})

test('packets to an interchain account show their messages in either encoding', () => {
  const proto = toBase64(toBinary(CosmosTxSchema, create(CosmosTxSchema, { messages: [send] })))
  const json = toBase64(
    fromUtf8(
      JSON.stringify({
        messages: [{ '@type': send.typeUrl, from_address: 'a', to_address: 'b', amount: [{ denom: 'utia', amount: '7' }] }],
      }),
    ),
  )
  for (const data of [proto, json]) {
    const packet = fromUtf8(JSON.stringify({ type: 'TYPE_EXECUTE_TX', data, memo: 'm' }))
    const message = pack(MsgRecvPacketSchema, { packet: { destinationPort: 'icahost', data: packet } })
    assert.deepEqual((dataOf(message).Packet as Record<string, unknown>).Data, {
      Type: 'TYPE_EXECUTE_TX',
      Memo: 'm',
      Data: [{ '@type': send.typeUrl, ...sendData }],
    })
  }
})

test('packets that do not hold what their port promises stay base64', () => {
  for (const port of ['transfer', 'icahost', 'oracle']) {
    for (const text of ['{"denom":1}', 'no json', '{', '[]', 'null', '']) {
      const message = pack(MsgRecvPacketSchema, { packet: { destinationPort: port, data: fromUtf8(text) } })
      const packet = dataOf(message).Packet as Record<string, unknown>
      assert.equal(packet.Data, text === '' ? null : toBase64(fromUtf8(text)), `${port} ${text}`)
    }
  }
})

const clientState = pack(ClientStateSchema, {
  chainId: 'noble-1',
  trustLevel: { numerator: 1n, denominator: 3n },
  trustingPeriod: { seconds: 1209600n },
  proofSpecs: [{ leafSpec: { hash: 1, prefix: Uint8Array.of(0) }, innerSpec: { childOrder: [0, 1] } }],
})

test('a client is unpacked into the form of the node when it was created', () => {
  const consensusState = pack(ConsensusStateSchema, { timestamp: { seconds: 1n, nanos: 500 }, root: { hash: Uint8Array.of(1) } })
  const create = pack(MsgCreateClientSchema, { clientState, consensusState, signer: 's' })
  const data = dataOf(create)
  const state = data.ClientState as Record<string, unknown>
  assert.deepEqual(state.TrustLevel, { Numerator: 1, Denominator: 3 })
  assert.equal(state.TrustingPeriod, 1209600000000000)
  assert.deepEqual(data.ConsensusState, {
    Timestamp: '1970-01-01T00:00:01.0000005Z',
    Root: { Hash: 'AQ==' },
    NextValidatorsHash: null,
  })
  const failed = dataOf(create, false).ClientState as Record<string, unknown>
  assert.equal(failed['@type'], clientState.typeUrl)
  assert.equal(failed.TrustingPeriod, '1209600s')
})

test('an update that took effect shows its header instead of the client message', () => {
  const header = pack(HeaderSchema, {
    signedHeader: { header: { chainId: 'noble-1', height: 5n }, commit: { height: 5n, blockId: { hash: Uint8Array.of(1) } } },
    validatorSet: { validators: [{ pubKey: { sum: { case: 'ed25519', value: Uint8Array.of(2) } }, votingPower: 9n }] },
    trustedHeight: { revisionNumber: 1n, revisionHeight: 4n },
  })
  const update = pack(MsgUpdateClientSchema, { clientId: '07-tendermint-0', clientMessage: header, signer: 's' })
  const data = dataOf(update)
  assert.deepEqual(Object.keys(data).sort(), ['ClientId', 'Header', 'Signer'])
  const { SignedHeader, ValidatorSet, TrustedHeight } = data.Header as Record<string, Record<string, Record<string, unknown>>>
  assert.equal(SignedHeader!.Header!.ChainID, 'noble-1')
  assert.deepEqual(SignedHeader!.Commit!.BlockID, { Hash: 'AQ==', PartSetHeader: null })
  assert.deepEqual((ValidatorSet!.Validators as unknown as Record<string, unknown>[])[0]!.PubKey, { Sum: { Ed25519: 'Ag==' } })
  assert.deepEqual(TrustedHeight, { RevisionNumber: 1, RevisionHeight: 4 })
  assert.ok('ClientMessage' in dataOf(update, false))
  const broken = pack(MsgUpdateClientSchema, { clientMessage: { typeUrl: header.typeUrl, value: Uint8Array.of(0x0a, 0x7f) } })
  assert.ok('ClientMessage' in dataOf(broken))
})

test('the fee of a forwarding is found where app 7 and where later apps put it', () => {
  const fee = { denom: 'utia', amount: '900000' }
  const parties = { signer: 's', forwardAddr: 'f', destDomain: 5, destRecipient: '0x01' }
  const shown = { Denom: 'utia', Amount: '900000' }
  const now = dataOf(pack(MsgForwardSchema, { ...parties, tokenId: '0xab', maxIgpFee: fee }))
  assert.deepEqual([now.TokenId, now.MaxIgpFee], ['0xab', shown])
  // The coin in field 5, which is the token's since.
  const coin = Buffer.from(toBinary(CoinSchema, create(CoinSchema, fee)))
  const old = dataOf(pack(MsgForwardSchema, { ...parties, tokenId: coin.toString() }))
  assert.deepEqual([old.ForwardAddr, old.TokenId, old.MaxIgpFee], ['f', '', shown])
  assert.equal(dataOf(pack(MsgForwardSchema, { ...parties, tokenId: '\n~' })).TokenId, '\n~')
})

test('text that JSON and PostgreSQL refuse is replaced', () => {
  const data = dataOf(pack(MsgSendSchema, { fromAddress: 'a\u0000b' }))
  assert.equal(data.FromAddress, 'a\ufffdb')
  const invalid = messageData(send.typeUrl, Uint8Array.of(0x0a, 2, 0xff, 0x61), { success: true })
  assert.equal(invalid?.FromAddress, '\ufffda')
})

test('JSON that is not the message it names is refused with one kind of error', () => {
  const bad: unknown[] = [
    null,
    [],
    {},
    { '@type': '/x.Y' },
    { '@type': send.typeUrl, amount: {} },
    { '@type': send.typeUrl, from_address: 1 },
    { '@type': '/cosmos.gov.v1.MsgVote', proposal_id: '99999999999999999999999' },
    { '@type': '/cosmos.gov.v1.MsgVote', option: 'NO_SUCH_OPTION' },
    { '@type': '/cosmos.staking.v1beta1.MsgEditValidator', commission_rate: '1/2' },
  ]
  for (const json of bad) assert.throws(() => encodeJsonMessage(json), MessageJsonError, JSON.stringify(json))
  let nested: unknown = { '@type': send.typeUrl }
  for (let i = 0; i < 5000; i++) nested = { '@type': `/${MsgExecSchema.typeName}`, msgs: [nested] }
  assert.throws(() => encodeJsonMessage(nested), MessageJsonError)
})

test('every type of a chain message has a schema', () => {
  const names = ['celestia.fibre.v1.MsgPayForFibre', 'celestia.valaddr.v1.MsgSetFibreProviderInfo', 'cosmos.group.v1.MsgVote']
  for (const name of names) assert.ok(schemaOf(`/${name}`), name)
  assert.ok(schemaOf('/cosmos.staking.v1beta1.StakeAuthorization.Validators'))
})

test('damaged messages never throw', () => {
  const random = seededRandom(7)
  const messages = readRecordedTxs('devnet').flatMap(({ bytes }) => {
    const tx = decodeTx(bytes)
    return tx.error === undefined ? tx.messages : []
  })
  const kinds = [...new Map(messages.map((message) => [message.typeUrl, message])).values()]
  assert.ok(kinds.length > 40)
  let raw = 0
  for (let round = 0; round < 20_000; round++) {
    const { typeUrl, value } = kinds[Math.floor(random() * kinds.length)]!
    const data = messageData(typeUrl, mutateBytes(value, random), { success: true })
    if (data && 'TypeUrl' in data) raw++
    JSON.stringify(data)
  }
  assert.ok(raw > 1000 && raw < 19_000)
})
