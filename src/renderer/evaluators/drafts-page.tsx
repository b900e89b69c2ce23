import './evaluators.css'
import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import type { Draft } from '../../contract/evaluators/calibrations.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import { allItems } from '../api/pages.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { orCancelled } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useDrafts, useFrozenVersions, useScorerName } from './evaluators.queries.ts'
import { EvaluatorsTabs } from './evaluators-tabs.tsx'
import { describeDefinition, draftStatuses } from './evaluators-words.ts'

const columnsFor = (datasetNames: ReadonlyMap<string, string> | null, nameOf: (scorer: string) => string): readonly Column<Draft>[] => [
  {
    id: 'dataset',
    title: 'Draft',
    width: 200,
    grow: true,
    rowHeader: true,
    cell: ({ id, dataset_version_id: version, goal }) => (
      <Anchor component={Link} to={`/evaluators/drafts/${id}`} fz="inherit">
        <UntrustedText
          text={goal ?? (datasetNames === null ? 'Draft' : (datasetNames.get(version) ?? 'From an earlier dataset version'))}
          layout="prose"
        />
      </Anchor>
    ),
  },
  {
    id: 'status',
    title: 'Status',
    width: 110,
    cell: ({ status, failure }) => <StatusBadge status={orCancelled(draftStatuses[status], failure)} />,
  },
  { id: 'mode', title: 'By', width: 150, cell: ({ mode }) => (mode === 'heuristic' ? 'Scorers, no model' : 'A model') },
  { id: 'candidates', title: 'Candidates', width: 96, align: 'end', cell: ({ candidates }) => formatCount(candidates.length) },
  {
    id: 'best',
    title: 'Best candidate',
    width: 300,
    cell: ({ candidates: [best], failure }) =>
      best ? (
        `${describeDefinition(best.definition, nameOf)}, ${formatEstimate(best.agreement)}`
      ) : failure ? (
        <UntrustedText text={failure.message} layout="prose" />
      ) : (
        '–'
      ),
  },
  { id: 'at', title: 'Started', width: 112, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

/** Every draft with its state, newest first. */
export function DraftsPage() {
  const drafts = useDrafts()
  const datasets = useFrozenVersions()
  const names = datasets.data
    ? new Map(datasets.data.map(({ name, version }) => [version.id, `${name}, version ${version.version}`]))
    : null
  const nameOf = useScorerName()
  const rows = allItems(drafts.data)
  return (
    <Page>
      <PageHeader
        title="Drafts"
        description="Candidate evaluators made from labeled datasets."
        actions={
          <Button component={Link} to="/evaluators/drafts/new">
            Draft from a dataset
          </Button>
        }
      />
      <EvaluatorsTabs />
      {drafts.isError ? (
        <ErrorState error={drafts.error} title="Couldn’t load drafts" onRetry={() => void drafts.refetch()} />
      ) : drafts.isPending ? (
        <LinesSkeleton />
      ) : rows.length > 0 ? (
        <PlainTable label="Drafts" columns={columnsFor(names, nameOf)} rows={rows} rowId={({ id }) => id} />
      ) : (
        <EmptyState
          title="No drafts yet"
          picture="drafts"
          action={
            <Button component={Link} to="/evaluators/drafts/new" variant="default">
              Draft from a dataset
            </Button>
          }
        >
          A draft ranks candidate evaluators by how well they agree with the labels of a dataset’s frozen version.
        </EmptyState>
      )}
      <LoadMore query={drafts} />
    </Page>
  )
}
