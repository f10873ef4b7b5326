import {
  MsgCreatePeriodicVestingAccountSchema,
  MsgCreatePermanentLockedAccountSchema,
  MsgCreateVestingAccountSchema,
} from '../../decode/gen/cosmos/vesting/v1beta1/types_pb.ts'
import { decodeAccount } from '../../lib/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { sumUtia } from '../coins.ts'
import { toPeriods, toVestingTime } from '../vesting.ts'
import { handler, type Link, type MessageTable } from './handler.ts'

function parties(msg: { fromAddress: string; toAddress: string }): { signers: string[]; links: Link[] } {
  return {
    signers: [msg.fromAddress],
    links: [
      ['fromAddress', msg.fromAddress],
      ['toAddress', msg.toAddress],
    ],
  }
}

export const vestingMessages: MessageTable = {
  '/cosmos.vesting.v1beta1.MsgCreateVestingAccount': handler(MsgCreateVestingAccountSchema, (msg) => ({
    ...parties(msg),
    effects: ({ time }): Effect[] => {
      const address = decodeAccount(msg.toAddress)
      if (address === undefined) return []
      // A continuous account without a start begins to vest with its block.
      const startTime = msg.delayed ? null : (toVestingTime(msg.startTime) ?? time)
      const type = msg.delayed ? 'delayed' : 'continuous'
      const endTime = toVestingTime(msg.endTime)
      return [{ kind: 'vesting', address, type, amount: sumUtia(msg.amount), startTime, endTime, periods: [] }]
    },
  })),
  '/cosmos.vesting.v1beta1.MsgCreatePermanentLockedAccount': handler(MsgCreatePermanentLockedAccountSchema, (msg) => ({
    ...parties(msg),
    effects: (): Effect[] => {
      const address = decodeAccount(msg.toAddress)
      if (address === undefined) return []
      const amount = sumUtia(msg.amount)
      return [{ kind: 'vesting', address, type: 'permanent', amount, startTime: null, endTime: null, periods: [] }]
    },
  })),
  '/cosmos.vesting.v1beta1.MsgCreatePeriodicVestingAccount': handler(MsgCreatePeriodicVestingAccountSchema, (msg) => ({
    ...parties(msg),
    effects: (): Effect[] => {
      const address = decodeAccount(msg.toAddress)
      if (address === undefined) return []
      const steps = msg.vestingPeriods.map(({ length, amount }) => ({ length, amount: sumUtia(amount) }))
      const periods = toPeriods(msg.startTime, steps)
      const amount = steps.reduce((sum, step) => sum + step.amount, 0n)
      const startTime = toVestingTime(msg.startTime)
      return [{ kind: 'vesting', address, type: 'periodic', amount, startTime, endTime: periods.at(-1)?.time ?? null, periods }]
    },
  })),
}
