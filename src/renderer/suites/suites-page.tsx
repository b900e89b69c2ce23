import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Link, useNavigate } from 'react-router'
import type { SuiteSummary } from '../../contract/suites/suites.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { noFiling, useFiling, useFilingQuery } from '../items/use-filing.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useSuites } from './suites.queries.ts'
import { SuitesTabs } from './suites-tabs.tsx'

const originWords: Readonly<Record<SuiteSummary['origin'], string>> = { bundled: 'Assay', workspace: 'This workspace' }
const originOptions = Object.entries(originWords).map(([value, label]) => ({ value, label }))

const columns: readonly Column<SuiteSummary>[] = [
  {
    id: 'name',
    title: 'Suite',
    width: 190,
    grow: true,
    rowHeader: true,
    sortValue: suite => suite.name,
    cell: suite => <NameLink to={`/suites/${suite.id}`} name={suite.name} />,
  },
  { id: 'version', title: 'Version', width: 72, align: 'end', cell: suite => formatCount(suite.version) },
  { id: 'tasks', title: 'Tasks', width: 72, align: 'end', sortValue: suite => suite.tasks, cell: suite => formatCount(suite.tasks) },
  {
    id: 'sources',
    title: 'Benchmarks',
    width: 230,
    cell: suite => <UntrustedText text={suite.sources.map(source => source.title).join(', ')} layout="prose" />,
  },
  {
    id: 'capabilities',
    title: 'Capabilities',
    width: 204,
    cell: suite => <UntrustedText text={suite.capabilities.map(one => one.capability).join(', ')} layout="prose" />,
  },
  { id: 'origin', title: 'From', width: 124, sortValue: suite => originWords[suite.origin], cell: suite => originWords[suite.origin] },
  {
    id: 'made',
    title: 'Created',
    width: 112,
    sortValue: suite => Date.parse(suite.created_at),
    cell: suite => (suite.origin === 'bundled' ? <span className="quiet">–</span> : <RelativeTime at={suite.created_at} />),
  },
]

const filedSuites = {
  kind: 'suite',
  plural: 'suites',
  id: (suite: SuiteSummary) => suite.suite_id,
  name: (suite: SuiteSummary) => showHidden(suite.name),
  isOwn: (suite: SuiteSummary) => suite.origin === 'workspace',
} as const

export function SuitesPage() {
  const navigate = useNavigate()
  const { get, set } = useAddress()
  const [sort, setSort] = useAddressSort()
  const filed = useFilingQuery('suite')
  const query = useSuites(filed)
  const [q, origin] = [get('q').toLowerCase(), get('from')]
  const rows = useMemo(
    () =>
      (query.data ?? []).filter(
        suite =>
          (origin === '' || suite.origin === origin) &&
          `${suite.name} ${suite.description} ${suite.sources.map(source => source.title).join(' ')}`.toLowerCase().includes(q),
      ),
    [query.data, q, origin],
  )
  const filing = useFiling(filedSuites, rows, columns)
  return (
    <Page layout="fill">
      <PageHeader
        title="Suites"
        description="Fixed selections of exact tasks. An evaluation runs every task of a suite."
        actions={
          <>
            <RequestMenu operation="listSuites" request={{ query: filed }} />
            <Button component={Link} to="/suites/new?way=objective" variant="default">
              What should I run?
            </Button>
            <Button component={Link} to="/suites/new">
              New suite
            </Button>
          </>
        }
      />
      <SuitesTabs />
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title="Couldn’t load the suites" onRetry={() => void query.refetch()} />
      ) : (
        <DataTable<SuiteSummary>
          id="suites"
          label="Suites"
          columns={filing.columns}
          onMark={filing.onMark}
          rows={rows}
          rowId={suite => suite.id}
          sort={sort}
          onSort={setSort}
          sortedBy="browser"
          loading={query.isPending}
          onOpen={suite => void navigate(`/suites/${suite.id}`)}
          toolbar={filing.toolbar(
            <>
              <SearchFilter label="Search suites" />
              <SelectFilter label="From" name="from" options={originOptions} width={160} />
            </>,
          )}
          empty={
            query.data?.length === 0 && Object.keys(filed).length === 0 ? (
              <EmptyState
                title="No suites yet"
                action={
                  <Button component={Link} to="/suites/new" variant="default">
                    New suite
                  </Button>
                }
              />
            ) : (
              <NoMatches kind="suites" onClear={() => set({ q: null, from: null, ...noFiling })} />
            )
          }
        />
      )}
    </Page>
  )
}
