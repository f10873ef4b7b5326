import { buyEveryOperation } from './every-operation.case.ts'

buyEveryOperation(['statements'])
