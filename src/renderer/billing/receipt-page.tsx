import './wallet.css'
import { Button } from '@mantine/core'
import { useParams } from 'react-router'
import type { Receipt } from '../../contract/billing/billing.schemas.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { IconPrinter } from '../ui/pictures/icons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Money } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { purchaseStatuses } from './wallet-words.ts'
import { useReceipt } from './wallet.queries.ts'

/** A receipt to read and to print: on paper only the receipt itself is left. */
export function ReceiptPage() {
  const { purchaseId = '' } = useParams()
  const query = useReceipt(purchaseId)
  return (
    <Page layout="narrow">
      <PageHeader
        title={query.data ? `Receipt ${query.data.receipt_number}` : 'Receipt'}
        parent={{ title: 'Wallet', to: '/workspace/wallet' }}
        actions={
          <>
            <RequestMenu operation="getReceipt" request={{ params: { purchase_id: purchaseId } }} />
            <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => globalThis.print()}>
              Print
            </Button>
          </>
        }
      />
      <QueryView query={query} failure="Couldn’t load the receipt">
        {receipt => <ReceiptFacts receipt={receipt} />}
      </QueryView>
    </Page>
  )
}

function ReceiptFacts({ receipt }: { readonly receipt: Receipt }) {
  return (
    <div className="wallet-receipt">
      <KeyValues
        items={{
          Workspace: <UntrustedText text={receipt.workspace.name} layout="prose" />,
          Amount: <Money microUsd={receipt.amount_microusd} decimals={2} />,
          'Taken back': receipt.returned_microusd === '0' ? null : <Money microUsd={receipt.returned_microusd} decimals={2} />,
          Status: <StatusBadge status={purchaseStatuses[receipt.status]} />,
          For: receipt.note === '' ? null : <UntrustedText text={receipt.note} layout="prose" />,
          Paid: formatTimestamp(receipt.paid_at),
          Closed: receipt.closed_at === null ? null : formatTimestamp(receipt.closed_at),
          'Receipt number': <span className="mono">{receipt.receipt_number}</span>,
          Purchase: <span className="mono">{receipt.purchase_id}</span>,
        }}
      />
      <p className="prose" style={{ margin: 0 }}>
        {receipt.statement}
      </p>
    </div>
  )
}
