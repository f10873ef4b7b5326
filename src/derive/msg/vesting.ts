import {
  MsgCreatePeriodicVestingAccountSchema,
  MsgCreatePermanentLockedAccountSchema,
  MsgCreateVestingAccountSchema,
} from '../../decode/gen/cosmos/vesting/v1beta1/types_pb.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { sumUtia } from '../coins.ts'
import { toVesting, type VestingSchedule } from '../vesting.ts'
import { handler, type MessagePart, type MessageTable } from './handler.ts'

function createAccount(msg: { fromAddress: string; toAddress: string }, schedule: VestingSchedule): MessagePart {
  return {
    signers: [msg.fromAddress],
    links: [
      ['fromAddress', msg.fromAddress],
      ['toAddress', msg.toAddress],
    ],
    effects: ({ time }): Effect[] => {
      const address = decodeAccount(msg.toAddress)
      return address === undefined ? [] : [toVesting(address, schedule, time)]
    },
  }
}

export const vestingMessages: MessageTable = {
  '/cosmos.vesting.v1beta1.MsgCreateVestingAccount': handler(MsgCreateVestingAccountSchema, (msg) =>
    createAccount(msg, {
      type: msg.delayed ? 'delayed' : 'continuous',
      amount: sumUtia(msg.amount),
      start: msg.startTime,
      end: msg.endTime,
      steps: [],
    }),
  ),
  '/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount': handler(MsgCreatePermanentLockedAccountSchema, (msg) =>
    createAccount(msg, { type: 'permanent', amount: sumUtia(msg.amount), start: 0n, end: 0n, steps: [] }),
  ),
  '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount': handler(MsgCreatePeriodicVestingAccountSchema, (msg) => {
    const steps = msg.vestingPeriods.map(({ length, amount }) => ({ length, amount: sumUtia(amount) }))
    const amount = steps.reduce((sum, step) => sum + step.amount, 0n)
    return createAccount(msg, { type: 'periodic', amount, start: msg.startTime, end: 0n, steps })
  }),
}
