import type { LedgerEntry, Purchase } from '../../contract/billing/billing.schemas.ts'
import type { Status } from '../ui/values/statuses.ts'

export const purchaseStatuses: Readonly<Record<Purchase['status'], Status>> = {
  open: { word: 'To confirm', tone: 'human' },
  paid: { word: 'Paid', tone: 'pass' },
  refunded: { word: 'Refunded', tone: 'neutral' },
  disputed: { word: 'Disputed', tone: 'warn' },
  expired: { word: 'Expired', tone: 'neutral' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
}

export const entryKinds: Readonly<Record<LedgerEntry['kind'], string>> = {
  allotment: 'Allotment',
  hold: 'Hold',
  charge: 'Charge',
  release: 'Release',
  refund: 'Refund',
  dispute: 'Dispute',
}
