import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADDRESS_ROLES, addressRoleId } from './address-role.ts'
import { EVENT_TYPES } from './event-type.ts'
import { MESSAGE_TYPES, messageTypeId, messageTypeOf, typeUrlOf } from './message-type.ts'

test('the enums have the sizes and the ends that the API lists', () => {
  assert.equal(MESSAGE_TYPES.length, 115)
  assert.equal(MESSAGE_TYPES[0], 'MsgUnknown')
  assert.equal(MESSAGE_TYPES[114], 'MsgSubmitMessages')
  assert.equal(ADDRESS_ROLES.length, 27)
  assert.equal(addressRoleId('payee'), 26)
  assert.equal(EVENT_TYPES.length, 91)
  assert.equal(EVENT_TYPES[90], 'celestia.zkism.v1.EventSubmitMessages')
})

test('a type URL outside the enum is MsgUnknown', () => {
  assert.equal(messageTypeOf('/celestia.fibre.v1.MsgPayForFibre'), 0)
  assert.equal(messageTypeOf(''), 0)
})

test('both gov versions share an id and v1 is its canonical type URL', () => {
  const id = messageTypeOf('/cosmos.gov.v1beta1.MsgVote')
  assert.equal(id, messageTypeOf('/cosmos.gov.v1.MsgVote'))
  assert.equal(typeUrlOf(id), '/cosmos.gov.v1.MsgVote')
})

test('token transfers over IBC are IBCTransfer, not MsgTransfer', () => {
  assert.equal(messageTypeOf('/ibc.applications.transfer.v1.MsgTransfer'), messageTypeId('IBCTransfer'))
})

test('every canonical type URL leads back to its id and every name is there once', () => {
  assert.equal(new Set(MESSAGE_TYPES).size, MESSAGE_TYPES.length)
  for (const [id, name] of MESSAGE_TYPES.entries()) {
    if (name === 'MsgUnknown' || name === 'MsgTransfer') assert.equal(typeUrlOf(id), '')
    else assert.equal(messageTypeOf(typeUrlOf(id)), id, name)
  }
})
