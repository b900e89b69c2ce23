import { Switch } from '@mantine/core'
import type { Purchase } from '../../contract/billing/billing.schemas.ts'
import { allItems } from '../api/pages.ts'
import { checkField } from '../ui/forms/fields.ts'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { PurchaseActions } from './purchase-actions.tsx'
import { purchaseStatuses } from './wallet-words.ts'
import { usePurchases } from './wallet.queries.ts'

const columns: readonly Column<Purchase>[] = [
  { id: 'status', title: 'Status', width: 112, cell: purchase => <StatusBadge status={purchaseStatuses[purchase.status]} /> },
  {
    id: 'amount',
    title: 'Amount',
    width: 96,
    align: 'end',
    rowHeader: true,
    cell: purchase => <Money microUsd={purchase.amount_microusd} decimals={2} />,
  },
  {
    id: 'returned',
    title: 'Taken back',
    width: 96,
    align: 'end',
    cell: purchase => (purchase.returned_microusd === '0' ? null : <Money microUsd={purchase.returned_microusd} decimals={2} />),
  },
  { id: 'note', title: 'For', width: 180, grow: true, cell: purchase => <UntrustedText text={purchase.note} layout="prose" /> },
  {
    id: 'when',
    title: 'When',
    width: 130,
    cell: purchase =>
      purchase.status === 'open' ? (
        <>
          expires <RelativeTime at={purchase.expires_at} />
        </>
      ) : (
        <RelativeTime at={purchase.closed_at ?? purchase.paid_at ?? purchase.created_at} />
      ),
  },
  { id: 'actions', title: 'Actions', width: 236, cell: purchase => <PurchaseActions purchase={purchase} /> },
]

export function PurchasesTable() {
  const { get, set } = useAddress()
  const receiptsOnly = get('receipts') === 'only'
  const query = usePurchases(receiptsOnly)
  const rows = allItems(query.data)
  if (query.isPending) return <LinesSkeleton lines={3} />
  if (query.isError && !query.data) {
    return <ErrorState error={query.error} title="Couldn’t load the purchases" onRetry={() => void query.refetch()} />
  }
  return (
    <>
      {rows.length > 0 || receiptsOnly ? (
        <Switch label="Only with a receipt" {...checkField(receiptsOnly, isChecked => set({ receipts: isChecked ? 'only' : null }))} />
      ) : null}
      {rows.length === 0 ? (
        <EmptyState title={receiptsOnly ? 'No purchase has a receipt yet' : 'No purchases yet'}>
          Baselines, local runtimes and connections need no budget. Hosted routes that the wallet pays for do.
        </EmptyState>
      ) : (
        <PlainTable label="Purchases" columns={columns} rows={rows} rowId={purchase => purchase.id} />
      )}
      <LoadMore query={query} size="xs" />
    </>
  )
}
