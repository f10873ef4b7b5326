import { SOLD_GROUPS } from '../../src/config/paid-schema.ts'
import { buyEveryOperation } from './every-operation.case.ts'

buyEveryOperation(SOLD_GROUPS)
