import { Type } from 'typebox'
import { Address } from './address.ts'
import { BlobLog } from './blob.ts'
import { Block } from './block.ts'
import { Namespace } from './namespace.ts'
import { Rollup } from './rollup.ts'
import { Tx } from './tx.ts'
import { Validator } from './validator.ts'
import { Model } from './values.ts'

export const SearchItem = Model('SearchItem', {
  type: Type.Enum(['block', 'tx', 'address', 'namespace', 'validator', 'rollup', 'blob']),
  result: Type.Union([Block, Tx, Address, Namespace, Validator, Rollup, BlobLog]),
})
