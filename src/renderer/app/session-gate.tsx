import { Button } from '@mantine/core'
import { Outlet } from 'react-router'
import { ServiceError } from '../../contract/client.ts'
import { useMe } from '../api/session.queries.ts'
import { presentWorkspace, setWorkspaceId } from '../api/workspace.ts'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'

/** Lets pages through once it is known who is asking and for which workspace; shows the sign-in page otherwise. */
export function SessionGate() {
  const me = useMe()
  if (me.error instanceof ServiceError && me.error.status === 401) return <SignInPage />
  if (!me.data) return me.isError ? <Unreachable error={me.error} onRetry={() => void me.refetch()} /> : null
  const workspace = presentWorkspace(me.data)
  if (!workspace) return <NoWorkspace />
  // Before any page renders and asks for anything.
  setWorkspaceId(workspace.id)
  return <Outlet />
}

function Unreachable({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <Page layout="narrow">
      <PageHeader title="Assay" />
      <ErrorState error={error} title="Couldn’t verify your session" onRetry={onRetry} reportable={false} />
    </Page>
  )
}

function NoWorkspace() {
  return (
    <Page layout="narrow">
      <PageHeader title="Assay" />
      <EmptyState
        title="You are not a member of any workspace"
        action={<Button onClick={() => globalThis.location.reload()}>Look again</Button>}
      >
        Ask an owner to add you, then reload.
      </EmptyState>
    </Page>
  )
}
