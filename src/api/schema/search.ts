import { Type } from 'typebox'
import { Address } from './address.ts'
import { BlobLog } from './blob.ts'
import { Block } from './block.ts'
import { Namespace } from './namespace.ts'
import { Rollup } from './rollup.ts'
import { Tx } from './tx.ts'
import { Validator } from './validator.ts'
import { described, Model, Text } from './values.ts'

export const SearchRecord = Model('SearchRecord', {
  id: described(Text, 'as the operation that reads the thing takes it'),
  name: described(Text, 'title of a proposal, chain of an IBC client or channel, name of a Hyperlane domain or upgrade'),
  detail: described(Text, 'its state or kind; may be empty'),
})

export const SearchItem = Model('SearchItem', {
  type: Type.Enum([
    'block',
    'tx',
    'address',
    'namespace',
    'validator',
    'rollup',
    'blob',
    'proposal',
    'ibc_client',
    'ibc_channel',
    'hyperlane_domain',
    'upgrade',
  ]),
  result: Type.Union([Block, Tx, Address, Namespace, Validator, Rollup, BlobLog, SearchRecord]),
})
