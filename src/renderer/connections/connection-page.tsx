import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { connectionMachine } from '../../contract/connections/connection.machine.ts'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { allows } from '../../contract/machine.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { samePage } from '../app/use-focus-on-navigation.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { hasSecret } from './connection-form.ts'
import { ConnectionEditor } from './connection-editor.tsx'
import { useConnections } from './models.queries.ts'

const parent = { title: 'Models', to: '/models' }

/** One page for a new connection and a stored one, so that saving the new one keeps the form and shows the check beside it. */
export function ConnectionPage() {
  const { connectionId = '' } = useParams()
  const navigate = useNavigate()
  const [registered, setRegistered] = useState<Connection | null>(null)
  const isNew = connectionId === 'new'
  // The form begins afresh when "New connection" is chosen again, and not when the new connection gets its address.
  const [shown, setShown] = useState({ id: connectionId, forms: 0 })
  if (shown.id !== connectionId) {
    setShown({ id: connectionId, forms: shown.forms + (isNew ? 1 : 0) })
    if (isNew) setRegistered(null)
  }
  const keep = (connection: Connection): void => {
    setRegistered(connection)
    if (isNew) void navigate(`/models/connections/${connection.id}`, { replace: true, state: samePage })
  }
  const here = registered !== null && (isNew || registered.id === connectionId) ? registered : null
  return (
    <Page layout="narrow">
      {isNew || here ? <NewConnection key={shown.forms} registered={here} onSaved={keep} /> : <StoredConnection id={connectionId} />}
    </Page>
  )
}

interface NewConnectionProps {
  readonly registered: Connection | null
  readonly onSaved: (connection: Connection) => void
}

function NewConnection({ registered, onSaved }: NewConnectionProps) {
  const { get } = useAddress()
  // Kept from the beginning: a registered connection gets another address.
  const [likeId] = useState(get('like'))
  const connections = useConnections()
  if (likeId !== '' && connections.isPending) return <Loading />
  const like = connections.data?.find(({ id }) => id === likeId)
  return (
    <>
      {registered ? (
        <EditHeader name={registered.name} />
      ) : (
        <PageHeader
          title="New connection"
          parent={parent}
          description="A vendor, a gateway, a runtime on this machine, or an agent. Its provider bills you, not the wallet."
        />
      )}
      {like && hasSecret(like) && !registered ? (
        <Notice tone="neutral" title={`A copy of ${showHidden(like.name)}`}>
          Its key or extra headers are used here too, as long as the address is of the same host.
        </Notice>
      ) : null}
      <ConnectionEditor stored={null} like={like} onSaved={onSaved} />
    </>
  )
}

function StoredConnection({ id }: { readonly id: string }) {
  const connections = useConnections()
  return (
    <QueryView query={connections} failure="Couldn’t load the connections" loading={<Loading />}>
      {all => {
        const stored = all.find(connection => connection.id === id)
        if (!stored || !allows(connectionMachine, stored.status, 'change')) return <Gone disabled={stored !== undefined} />
        return (
          <>
            <EditHeader name={stored.name} />
            <ConnectionEditor key={stored.id} stored={stored} />
          </>
        )
      }}
    </QueryView>
  )
}

function EditHeader({ name }: { readonly name: string }) {
  return (
    <PageHeader
      title={`Edit ${showHidden(name)}`}
      parent={parent}
      description="Changes require a new check before the connection can be quoted."
    />
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
        title={disabled ? 'This connection is deleted and cannot be changed' : 'There is no such connection in this workspace'}
        action={
          <Button component={Link} to="/models/connections/new">
            New connection
          </Button>
        }
      />
    </>
  )
}
