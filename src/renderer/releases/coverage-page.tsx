import './releases.css'
import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ReleaseCoverage } from '../../contract/releases/issues.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { coverageQuery, useReleaseSuites } from './releases.queries.ts'
import { ReleasesTabs } from './releases-tabs.tsx'
import { issueStatuses, points, severityWords } from './releases-words.ts'

type Capability = ReleaseCoverage['capabilities'][number]
type CoveredIssue = ReleaseCoverage['issues'][number]

const capabilityColumns: readonly Column<Capability>[] = [
  {
    id: 'name',
    title: 'Capability',
    width: 240,
    grow: true,
    rowHeader: true,
    cell: row => <UntrustedText text={row.capability} layout="prose" />,
  },
  { id: 'tasks', title: 'Tasks', width: 90, align: 'end', cell: ({ tasks }) => formatCount(tasks) },
  {
    id: 'difference',
    title: 'Detectable difference',
    width: 180,
    align: 'end',
    cell: ({ minimum_detectable_difference: least }) => (least === null ? 'too few tasks' : points(Number(least.toFixed(3)))),
  },
]

const issueColumns: readonly Column<CoveredIssue>[] = [
  {
    id: 'title',
    title: 'Issue',
    width: 240,
    grow: true,
    rowHeader: true,
    cell: ({ title }) => <UntrustedText text={title} layout="prose" />,
  },
  { id: 'severity', title: 'Severity', width: 100, cell: ({ severity }) => severityWords[severity] },
  { id: 'status', title: 'Status', width: 130, cell: ({ status }) => <StatusBadge status={issueStatuses[status]} /> },
  { id: 'in', title: 'Tasks in suite', width: 120, align: 'end', cell: issue => `${issue.in_suite} of ${issue.linked}` },
]

export function CoveragePage() {
  const suites = useReleaseSuites()
  const { get, set } = useAddress()
  const chosen = suites.data?.find(({ id }) => id === get('suite')) ?? suites.data?.[0]
  const coverage = useQuery(coverageQuery(chosen?.id ?? null))
  return (
    <Page>
      <PageHeader
        title="Coverage"
        description="Which capabilities and issues a release suite tests, and how small a difference it can find."
      />
      <ReleasesTabs />
      <QueryView query={suites} failure="Couldn’t load the suites">
        {found =>
          found.length === 0 ? (
            <EmptyState
              title="No release suites yet"
              picture="coverage"
              action={
                <Button component={Link} to="/releases/new">
                  Make a suite from a benchmark
                </Button>
              }
            />
          ) : (
            <>
              <Select
                label="Release suite"
                maw={480}
                value={chosen?.id ?? null}
                data={found.map(({ id, name, version }) => ({ value: id, label: `${name}, version ${version}` }))}
                onChange={suite => set({ suite })}
              />
              <QueryView query={coverage} failure="Couldn’t load the coverage">
                {covered => <CoverageView coverage={covered} />}
              </QueryView>
            </>
          )
        }
      </QueryView>
    </Page>
  )
}

function CoverageView({ coverage }: { readonly coverage: ReleaseCoverage }) {
  return (
    <>
      {coverage.uncovered_critical.length > 0 ? (
        <Notice tone="warn" title="Critical issues without a task">
          {formatCount(coverage.uncovered_critical.length)} critical issues have no task in this suite.
        </Notice>
      ) : null}
      <Section title="Capabilities">
        <PlainTable label="Capabilities" columns={capabilityColumns} rows={coverage.capabilities} rowId={row => row.capability} />
        {coverage.untagged_tasks > 0 ? <p className="quiet">{formatCount(coverage.untagged_tasks)} tasks name no capability.</p> : null}
      </Section>
      <Section title="Issues">
        {coverage.issues.length === 0 ? (
          <p className="quiet">No open issues.</p>
        ) : (
          <PlainTable label="Issues" columns={issueColumns} rows={coverage.issues} rowId={({ id }) => id} />
        )}
      </Section>
    </>
  )
}
