import type { TableDef } from './table.ts'

export type UpgradeRow = {
  version: number
  height: number
  time: string
  end_height: number | null
  end_time: string | null
  applied_at_level: number | null
  applied_at: string | null
  signer_id: number | null
  tx_id: number | null
  message_id: number | null
  voting_power: bigint
  voted_power: bigint
  signals_count: number
  status: 'processing' | 'waiting_upgrade' | 'applied'
}

export const upgradeTable: TableDef<UpgradeRow> = {
  name: 'upgrade',
  key: ['version'],
  residence: 'all',
  columns: {
    version: 'int',
    height: 'int',
    time: 'time',
    end_height: 'int',
    end_time: 'time',
    applied_at_level: 'int',
    applied_at: 'time',
    signer_id: 'int',
    tx_id: 'int',
    message_id: 'int',
    voting_power: 'amount',
    voted_power: 'amount',
    signals_count: 'int',
    status: 'text',
  },
}
