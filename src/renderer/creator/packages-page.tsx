import { Button } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { packageMachine } from '../../contract/creator/package.machine.ts'
import type { Package } from '../../contract/creator/packages.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CheckCounts } from './check-counts.tsx'
import { CreatorTabs } from './creator-tabs.tsx'
import { packageStatuses, signatureStatuses } from './creator-words.ts'
import { useNamespaces, usePackages } from './creator.queries.ts'
import { TemplateButton } from './template-button.tsx'

const statusOptions = packageMachine.states.map(value => ({ value, label: packageStatuses[value].word }))

const columns: readonly Column<Package>[] = [
  {
    id: 'title',
    title: 'Package',
    width: 180,
    grow: true,
    rowHeader: true,
    cell: one => <NameLink to={`/creator/packages/${one.id}`} name={one.title} />,
  },
  {
    id: 'name',
    title: 'Name',
    width: 208,
    cell: one => (
      <span className="mono" title={`${one.namespace}.${one.name}`}>
        {one.namespace}.{one.name}
      </span>
    ),
  },
  { id: 'version', title: 'Version', width: 80, cell: one => <span className="mono">{one.version}</span> },
  { id: 'status', title: 'Status', width: 112, cell: one => <StatusBadge status={packageStatuses[one.status]} /> },
  { id: 'checks', title: 'Checks', width: 152, cell: one => <CheckCounts checks={one.checks} /> },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 72,
    align: 'end',
    cell: one => (one.tasks === null ? <span className="quiet">–</span> : formatCount(one.tasks)),
  },
  { id: 'signature', title: 'Signature', width: 112, cell: one => <StatusBadge status={signatureStatuses[one.signature]} /> },
  { id: 'by', title: 'Uploaded by', width: 120, hiddenAtFirst: true, cell: one => <UntrustedText text={one.uploaded_by} layout="prose" /> },
  { id: 'at', title: 'Uploaded', width: 120, cell: one => <RelativeTime at={one.created_at} /> },
]

export function PackagesPage() {
  const navigate = useNavigate()
  const { get, set } = useAddress()
  const [namespace, status] = [get('namespace'), oneOf(get('status'), packageMachine.states)]
  const query = usePackages({ ...(namespace ? { namespace } : {}), status })
  const namespaces = allItems(useNamespaces().data).map(({ name }) => ({ value: name, label: name }))
  const send = (variant: 'filled' | 'default') => (
    <Button component={Link} to="/creator/packages/new" variant={variant}>
      Upload a package
    </Button>
  )
  return (
    <Page layout="fill">
      <PageHeader
        title="Creator"
        description="Your own benchmarks: checked automatically, approved by a person, then quoted like any other in this workspace."
        actions={
          <>
            <RequestMenu operation="listPackages" request={{ query: {} }} />
            {send('filled')}
          </>
        }
      />
      <CreatorTabs />
      <PagedTable<Package>
        query={query}
        failure="Couldn’t load packages"
        id="packages"
        label="Packages"
        columns={columns}
        rowId={one => one.id}
        narrowed={Boolean(namespace || status)}
        onOpen={one => void navigate(`/creator/packages/${one.id}`)}
        toolbar={
          <>
            <SelectFilter label="Namespace" name="namespace" options={namespaces} width={184} />
            <SelectFilter label="Status" name="status" options={statusOptions} />
          </>
        }
        empty={
          namespace || status ? (
            <NoMatches kind="packages" onClear={() => set({ namespace: null, status: null })} />
          ) : (
            <EmptyState title="No packages yet" picture="package" action={send('default')}>
              A package is a manifest with tasks, as a zip or as JSON. <TemplateButton />, or start a zip with{' '}
              <code className="num">assay package init</code>.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}
