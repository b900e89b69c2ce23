import './releases.css'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { DecisionListItem } from '../../contract/releases/decisions.schemas.ts'
import { FiledTable } from '../items/filed-table.tsx'
import { useFilingQuery } from '../items/use-filing.tsx'
import { SearchFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useDecisions } from './releases.queries.ts'
import { ReleasesTabs } from './releases-tabs.tsx'
import { decisionStatuses, recommendations } from './releases-words.ts'

const columns: readonly Column<DecisionListItem>[] = [
  {
    id: 'name',
    title: 'Decision',
    width: 170,
    grow: true,
    rowHeader: true,
    cell: decision => <NameLink to={`/releases/${decision.id}`} name={decision.name} />,
  },
  { id: 'status', title: 'Status', width: 130, cell: ({ status }) => <StatusBadge status={decisionStatuses[status]} /> },
  {
    id: 'recommendation',
    title: 'Recommendation',
    width: 130,
    cell: ({ recommendation }) => (recommendation === null ? '–' : <StatusBadge status={recommendations[recommendation]} />),
  },
  { id: 'attempt', title: 'Attempt', width: 70, align: 'end', cell: ({ attempt }) => attempt ?? '–' },
  { id: 'candidate', title: 'Candidate', width: 120, cell: ({ candidate }) => <UntrustedText text={candidate} layout="prose" /> },
  { id: 'baseline', title: 'Baseline', width: 120, cell: ({ baseline }) => <UntrustedText text={baseline ?? '–'} layout="prose" /> },
  { id: 'suite', title: 'Suite', width: 130, cell: decision => <UntrustedText text={decision.suite_name} layout="prose" /> },
  { id: 'made', title: 'Created', width: 112, cell: decision => <RelativeTime at={decision.created_at} /> },
]

export function ReleasesPage() {
  const { get } = useAddress()
  const q = get('q')
  const asked = { q, ...useFilingQuery('decision') }
  const query = useDecisions(asked)
  return (
    <Page layout="fill">
      <PageHeader
        title="Releases"
        description="Whether a new model or prompt may ship: rules with known error rates, a person’s verdict, and a signed record."
        actions={
          <>
            <RequestMenu operation="listReleaseDecisions" request={{ query: asked }} />
            <Button component={Link} to="/releases/new">
              New decision
            </Button>
          </>
        }
      />
      <ReleasesTabs />
      <FiledTable
        kind="decision"
        plural="decisions"
        query={query}
        failure="Couldn’t load the decisions"
        id="decisions"
        label="Decisions"
        columns={columns}
        path="/releases"
        filters={{ q }}
        filterFields={<SearchFilter label="Search decisions" />}
        empty={
          <EmptyState
            title="No decisions yet"
            picture="release"
            action={
              <Button variant="default" component={Link} to="/releases/new">
                Plan a decision
              </Button>
            }
          >
            Choose what a release must show, then let Assay run what is missing and test each rule.
          </EmptyState>
        }
      />
    </Page>
  )
}
