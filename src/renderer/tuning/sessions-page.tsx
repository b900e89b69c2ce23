import './tuning.css'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import type { TuneSessionListItem } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { FiledTable } from '../items/filed-table.tsx'
import { useFilingQuery } from '../items/use-filing.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { sessionsQuery } from './tuning.queries.ts'
import { TuningTabs } from './tuning-tabs.tsx'
import { sessionStatuses } from './tuning-words.ts'

const statusOptions = tuneSessionMachine.states.map(value => ({ value, label: sessionStatuses[value].word }))

const columns: readonly Column<TuneSessionListItem>[] = [
  {
    id: 'name',
    title: 'Session',
    width: 240,
    rowHeader: true,
    cell: ({ id, name }) => <NameLink to={`/tuning/${id}`} name={name} />,
  },
  { id: 'status', title: 'Status', width: 120, cell: ({ status }) => <StatusBadge status={sessionStatuses[status]} /> },
  {
    id: 'result',
    title: 'Result',
    width: 340,
    grow: true,
    cell: ({ conclusion }) =>
      conclusion === null ? <span className="quiet">none yet</span> : <UntrustedText text={conclusion.text} layout="prose" />,
  },
  { id: 'cases', title: 'Cases', width: 90, align: 'end', cell: ({ case_count }) => formatCount(case_count) },
  { id: 'updated', title: 'Updated', width: 130, cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
]

export function SessionsPage() {
  const { get } = useAddress()
  const filters = { q: get('q'), status: oneOf(get('status'), tuneSessionMachine.states) }
  const query = useInfiniteQuery(sessionsQuery({ ...filters, ...useFilingQuery('session') }))
  return (
    <Page layout="fill">
      <PageHeader
        title="Tuning"
        description="Find a model, effort or prompt that is cheaper and not worse than today’s, or better at its price."
        actions={
          <>
            <RequestMenu operation="listTuneSessions" request={{ query: {} }} />
            <Button component={Link} to="/tuning/new">
              New session
            </Button>
          </>
        }
      />
      <TuningTabs />
      <FiledTable
        kind="session"
        plural="sessions"
        query={query}
        failure="Couldn’t load tuning sessions"
        id="tune-sessions"
        label="Tuning sessions"
        columns={columns}
        path="/tuning"
        filters={filters}
        filterFields={
          <>
            <SearchFilter label="Search sessions" />
            <SelectFilter label="Status" name="status" options={statusOptions} width={150} />
          </>
        }
        empty={
          <EmptyState title="No tuning sessions yet" picture="tuning" action={<Beginnings />}>
            Start with a call that you make today. Assay races others against it on your own cases.
          </EmptyState>
        }
      />
    </Page>
  )
}

function Beginnings() {
  const ways = [
    { way: 'code', label: 'From code' },
    { way: 'trace', label: 'From a trace' },
    { way: 'dataset', label: 'From a dataset' },
    { way: 'run', label: 'From a run' },
  ]
  return (
    <div className="row" style={{ justifyContent: 'center' }}>
      {ways.map(({ way, label }, i) => (
        <Button key={way} component={Link} to={`/tuning/new?way=${way}`} variant={i === 0 ? 'filled' : 'default'}>
          {label}
        </Button>
      ))}
    </div>
  )
}
