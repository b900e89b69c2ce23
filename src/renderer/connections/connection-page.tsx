import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { allows, connectionMachine } from '../../contract/index.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { ConnectionEditor } from './connection-editor.tsx'
import { useConnections } from './models.queries.ts'

const parent = { title: 'Models', to: '/models' }

export function NewConnectionPage() {
  return (
    <Page layout="narrow">
      <PageHeader
        title="New connection"
        parent={parent}
        description="A vendor, a gateway, a runtime on this machine, or an agent. Its provider bills you, not the wallet."
      />
      <ConnectionEditor stored={null} />
    </Page>
  )
}

export function EditConnectionPage() {
  const { connectionId } = useParams()
  const connections = useConnections()
  return (
    <Page layout="narrow">
      <QueryView query={connections} failure="The connections could not be read" loading={<Loading />}>
        {all => {
          const stored = all.find(({ id }) => id === connectionId)
          if (!stored || !allows(connectionMachine, stored.status, 'change')) return <Gone disabled={stored !== undefined} />
          return (
            <>
              <PageHeader
                title={`Edit ${stored.name}`}
                parent={parent}
                description="Changes require a new check before the connection can be quoted."
              />
              <ConnectionEditor key={stored.id} stored={stored} />
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}

function Loading() {
  return (
    <>
      <PageHeader title="Edit connection" parent={parent} />
      <LinesSkeleton lines={8} />
    </>
  )
}

function Gone({ disabled }: { readonly disabled: boolean }) {
  return (
    <>
      <PageHeader title="Edit connection" parent={parent} />
      <EmptyState
        title={disabled ? 'This connection is disabled and cannot be changed' : 'There is no such connection in this workspace'}
        action={
          <Button component={Link} to="/models/connections/new">
            New connection
          </Button>
        }
      />
    </>
  )
}
