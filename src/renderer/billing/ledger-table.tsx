import { Anchor, Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { LedgerEntry } from '../../contract/billing/billing.schemas.ts'
import { formatSignedUsd } from '../../lib/format/money.ts'
import { saveFile } from '../api/download.ts'
import { allItems } from '../api/pages.ts'
import { SearchFilter } from '../ui/forms/filters.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { IconDownload } from '../ui/pictures/icons.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { entryKinds } from './wallet-words.ts'
import { useLedger } from './wallet.queries.ts'

const columns: readonly Column<LedgerEntry>[] = [
  { id: 'posted', title: 'Posted', width: 120, cell: entry => <RelativeTime at={entry.posted_at} /> },
  { id: 'kind', title: 'Kind', width: 90, cell: entry => entryKinds[entry.kind] },
  {
    id: 'description',
    title: 'What',
    width: 220,
    grow: true,
    rowHeader: true,
    cell: entry => <UntrustedText text={entry.description} layout="prose" />,
  },
  { id: 'accounts', title: 'From and to', width: 140, cell: entry => `${entry.from_account} → ${entry.to_account}` },
  { id: 'moved', title: 'Moved', width: 104, align: 'end', cell: entry => <Money microUsd={entry.moved_microusd} decimals={6} /> },
  {
    id: 'amount',
    title: 'To the balance',
    width: 110,
    align: 'end',
    cell: entry => (entry.amount_microusd === '0' ? <span className="quiet">unchanged</span> : formatSignedUsd(entry.amount_microusd, 6)),
  },
  {
    id: 'run',
    title: 'Run',
    width: 70,
    cell: ({ run_id: run }) =>
      run === null ? null : (
        <Anchor component={Link} to={`/runs/${run}`} fz="inherit">
          Open
        </Anchor>
      ),
  },
]

/** Every movement of money, double entry, as it was posted. */
export function LedgerTable() {
  const { get, set } = useAddress()
  const q = get('q')
  const query = useLedger(q)
  const rows = useMemo(() => allItems(query.data), [query.data])
  if (query.isError && !query.data) {
    return <ErrorState error={query.error} title="Couldn’t load the ledger" onRetry={() => void query.refetch()} />
  }
  return (
    <div className="wallet-ledger">
      <DataTable<LedgerEntry>
        id="ledger"
        label="Ledger"
        columns={columns}
        rows={rows}
        rowId={entry => entry.id}
        loading={query.isPending}
        narrowed={q !== ''}
        more={query}
        toolbar={
          <>
            <SearchFilter label="Search the ledger" />
            <SaveLedger />
          </>
        }
        empty={
          q === '' ? (
            <EmptyState title="No ledger entries yet">Purchases, holds of runs and their charges appear here.</EmptyState>
          ) : (
            <NoMatches kind="ledger entries" by="search" onClear={() => set({ q: null })} />
          )
        }
      />
    </div>
  )
}

function SaveLedger() {
  const [busy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      if (await saveFile('exportLedger', {}, 'assay-ledger.csv')) notifyDone('Saved assay-ledger.csv.')
    } catch (error) {
      notifyFailed('The ledger was not saved', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" loading={busy} leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void save()}>
      Save as CSV
    </Button>
  )
}
