import { Button } from '@mantine/core'
import { useState } from 'react'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersTable } from './members-table.tsx'
import { PairingCodeDialog, type PrintedCode } from './pairing-code-dialog.tsx'
import { SessionsTable } from './sessions-table.tsx'
import { useRole } from './use-role.ts'
import { WorkspaceName } from './workspace-name.tsx'
import { WorkspaceTabs } from './workspace-tabs.tsx'

export function MembersPage() {
  const { mayAdminister } = useRole()
  const [inviting, setInviting] = useState(false)
  const [printed, setPrinted] = useState<PrintedCode | null>(null)
  return (
    <Page>
      <PageHeader
        title="Members"
        description="People with access to this workspace. Owners and admins manage members, keys and spending; only owners can add to the wallet."
        actions={
          <>
            <RequestMenu operation="listMembers" request={{}} />
            {mayAdminister ? <Button onClick={() => setInviting(true)}>Invite</Button> : null}
          </>
        }
      />
      <WorkspaceTabs />
      <Section title="People">
        <MembersTable onPrinted={setPrinted} />
      </Section>
      <Section title="Your sessions">
        <SessionsTable />
      </Section>
      <WorkspaceName />
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} onInvited={setPrinted} />
      <PairingCodeDialog printed={printed} onClose={() => setPrinted(null)} />
    </Page>
  )
}
