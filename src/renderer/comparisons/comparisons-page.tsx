import { Button } from '@mantine/core'
import { Link } from 'react-router'
import type { ComparisonListItem } from '../../contract/comparisons/comparisons.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
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
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useComparisons } from './compare.queries.ts'

const columns: readonly Column<ComparisonListItem>[] = [
  {
    id: 'name',
    title: 'Comparison',
    width: 190,
    rowHeader: true,
    cell: comparison => <NameLink to={`/compare/${comparison.id}`} name={comparison.name} />,
  },
  {
    id: 'headline',
    title: 'Outcome',
    width: 360,
    grow: true,
    cell: comparison => (
      <span title={showHidden(comparison.headline)}>
        <UntrustedText text={comparison.headline} layout="prose" />
      </span>
    ),
  },
  {
    id: 'baseline',
    title: 'Baseline',
    width: 150,
    cell: ({ runs }) => <UntrustedText text={runs.find(run => run.baseline)?.label ?? ''} layout="prose" />,
  },
  {
    id: 'contenders',
    title: 'Compared with it',
    width: 190,
    cell: ({ runs }) => (
      <UntrustedText
        text={runs
          .filter(run => !run.baseline)
          .map(run => run.label)
          .join(', ')}
        layout="prose"
      />
    ),
  },
  { id: 'made', title: 'Created', width: 112, cell: comparison => <RelativeTime at={comparison.created_at} /> },
]

export function ComparisonsPage() {
  const { get } = useAddress()
  const q = get('q')
  const filed = useFilingQuery('comparison')
  const query = useComparisons(q, filed)
  return (
    <Page layout="fill">
      <PageHeader
        title="Compare"
        description="Whether a difference between runs is real: task by task on what they have in common."
        actions={
          <>
            <RequestMenu operation="listComparisons" request={{ query: { q, ...filed } }} />
            <Button variant="default" component={Link} to="/compare/rank">
              Rank models
            </Button>
            <Button component={Link} to="/compare/new">
              New comparison
            </Button>
          </>
        }
      />
      <FiledTable
        kind="comparison"
        plural="comparisons"
        query={query}
        failure="Couldn’t load the comparisons"
        id="comparisons"
        label="Comparisons"
        columns={columns}
        path="/compare"
        filters={{ q }}
        filterFields={<SearchFilter label="Search comparisons" />}
        empty={
          <EmptyState
            title="No comparisons yet"
            picture="compare"
            action={
              <Button variant="default" component={Link} to="/compare/new">
                Compare runs
              </Button>
            }
          >
            Choose two or more runs that have ended. Tasks are paired, so luck is not mistaken for a difference.
          </EmptyState>
        }
      />
    </Page>
  )
}
