import './wallet.css'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { useRole } from '../workspace/use-role.ts'
import { WorkspaceTabs } from '../workspace/workspace-tabs.tsx'
import { LedgerTable } from './ledger-table.tsx'
import { NewPurchaseDialog } from './new-purchase-dialog.tsx'
import { PurchasesTable } from './purchases-table.tsx'
import { WalletFigures } from './wallet-figures.tsx'

export function WalletPage() {
  const { isOwner } = useRole()
  const [adding, setAdding] = useState(false)
  return (
    <Page>
      <PageHeader
        title="Wallet"
        description="Budget for managed routes. No card is charged; connections are billed by their provider."
        actions={
          <>
            <RequestMenu operation="getWallet" request={{}} />
            {isOwner ? <Button onClick={() => setAdding(true)}>Add to the budget</Button> : null}
          </>
        }
      />
      <WorkspaceTabs />
      <WalletFigures />
      <Section title="Purchases">
        <PurchasesTable />
      </Section>
      <Section title="Ledger">
        <LedgerTable />
      </Section>
      <NewPurchaseDialog opened={adding} onClose={() => setAdding(false)} />
    </Page>
  )
}
