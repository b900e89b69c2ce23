import { Anchor, Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Namespace } from '../../contract/creator/namespaces.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ConfirmKeyDialog } from './confirm-key-dialog.tsx'
import { CreatorTabs } from './creator-tabs.tsx'
import { verificationStatuses } from './creator-words.ts'
import { useNamespaces } from './creator.queries.ts'
import { NewNamespaceDialog } from './new-namespace-dialog.tsx'

const columnsFor = (confirmKey: (of: Namespace) => void): readonly Column<Namespace>[] => [
  { id: 'name', title: 'Name', width: 200, rowHeader: true, cell: ({ name }) => <span className="mono">{name}</span> },
  { id: 'title', title: 'Title', width: 200, grow: true, cell: ({ title }) => <UntrustedText text={title} layout="prose" /> },
  { id: 'key', title: 'Signing key', width: 144, cell: ({ verification }) => <StatusBadge status={verificationStatuses[verification]} /> },
  {
    id: 'confirm',
    title: 'Confirm',
    width: 112,
    cell: of =>
      of.verification === 'key_registered' ? (
        <Button size="compact-xs" variant="default" onClick={() => confirmKey(of)} aria-label={`Confirm key of ${of.name}`}>
          Confirm key
        </Button>
      ) : (
        <span className="quiet">–</span>
      ),
  },
  {
    id: 'fingerprint',
    title: 'Key fingerprint',
    width: 200,
    cell: ({ key_fingerprint }) =>
      key_fingerprint === null ? (
        <span className="quiet">–</span>
      ) : (
        <Identifier value={key_fingerprint} what="key fingerprint" shown={16} />
      ),
  },
  {
    id: 'packages',
    title: 'Packages',
    width: 88,
    align: 'end',
    cell: ({ name, packages }) => (
      <Anchor
        component={Link}
        to={`/creator?namespace=${name}`}
        fz="inherit"
        className="num"
        aria-label={`Packages of ${name}: ${formatCount(packages)}`}
      >
        {formatCount(packages)}
      </Anchor>
    ),
  },
  { id: 'at', title: 'Registered', width: 120, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

export function NamespacesPage() {
  const { get, set } = useAddress()
  const query = useNamespaces()
  const [confirmed, setConfirmed] = useState<Namespace | null>(null)
  const columns = useMemo(() => columnsFor(setConfirmed), [])
  const create = (variant: 'filled' | 'default') => (
    <Button variant={variant} onClick={() => set({ new: 'yes' })}>
      New namespace
    </Button>
  )
  return (
    <Page layout="fill">
      <PageHeader
        title="Namespaces"
        description="Names under which packages are published. Each is unique on this installation."
        actions={
          <>
            <RequestMenu operation="listNamespaces" request={{ query: {} }} />
            {create('filled')}
          </>
        }
      />
      <CreatorTabs />
      <PagedTable<Namespace>
        query={query}
        failure="Couldn’t load namespaces"
        id="namespaces"
        label="Namespaces"
        columns={columns}
        rowId={({ name }) => name}
        narrowed={false}
        empty={
          <EmptyState title="No namespaces yet" picture="namespaces" action={create('default')}>
            A package needs a namespace: your team or project in lower-case words.
          </EmptyState>
        }
      />
      <ConfirmKeyDialog of={confirmed} onClose={() => setConfirmed(null)} />
      <NewNamespaceDialog opened={get('new') === 'yes'} onClose={() => set({ new: null })} />
    </Page>
  )
}
