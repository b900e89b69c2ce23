import type { Environment } from '../../contract/catalog/environments.schemas.ts'
import { Button } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddressSort } from '../ui/table/use-address.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { availabilities } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { formatCountOrNone, taskCount } from './catalog-columns.tsx'
import { environmentAddress } from './catalog-links.ts'
import { useEnvironments } from './environments.queries.ts'

const none: readonly Environment[] = []

const columns: readonly Column<Environment>[] = [
  {
    id: 'title',
    title: 'Environment',
    width: 180,
    rowHeader: true,
    sortValue: ({ title }) => title,
    cell: ({ title }) => <UntrustedText text={title} layout="prose" />,
  },
  {
    id: 'summary',
    title: 'What is to be done',
    width: 320,
    grow: true,
    cell: ({ summary }) => <UntrustedText text={summary} layout="prose" />,
  },
  {
    id: 'availability',
    title: 'Availability',
    width: 130,
    cell: ({ quote_availability: { status, reasons } }) => <StatusBadge status={availabilities[status]} title={reasons.join(' ')} />,
  },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 76,
    align: 'end',
    sortValue: taskCount,
    cell: environment => formatCountOrNone(taskCount(environment)),
  },
  {
    id: 'tools',
    title: 'Tools',
    width: 76,
    align: 'end',
    sortValue: ({ tool_names }) => tool_names.length,
    cell: ({ tool_names }) => tool_names.length,
  },
  {
    id: 'turns',
    title: 'Turns, at most',
    width: 110,
    align: 'end',
    sortValue: ({ max_turns }) => max_turns,
    cell: ({ max_turns }) => max_turns,
  },
]

export function EnvironmentsPage() {
  const navigate = useNavigate()
  const [sort, setSort] = useAddressSort()
  const environments = useEnvironments()
  return (
    <Page layout="fill">
      <PageHeader
        title="Environments"
        parent={{ title: 'Catalog', to: '/catalog' }}
        description="Tasks that are solved with tools, turn after turn, in a simulated world."
        actions={
          <>
            <RequestMenu operation="listEnvironments" request={{ query: {} }} />
            <Button component={Link} to="/catalog/import?own=environment" variant="default">
              Import
            </Button>
            <Button component={Link} to="/environments/new">
              New environment
            </Button>
          </>
        }
      />
      {environments.isError && !environments.data ? (
        <ErrorState error={environments.error} title="Couldn’t load the environments" onRetry={() => void environments.refetch()} />
      ) : (
        <DataTable
          id="environments"
          label="Environments"
          columns={columns}
          rows={environments.data ?? none}
          rowId={({ family }) => family}
          sort={sort}
          onSort={setSort}
          sortedBy="browser"
          loading={environments.isPending}
          openId={null}
          onOpen={({ family }) => void navigate(environmentAddress(family))}
          empty={<EmptyState title="This build has no environments" />}
        />
      )}
    </Page>
  )
}
