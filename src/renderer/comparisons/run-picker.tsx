import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { PinnedMark } from '../runs/pinned-mark.tsx'
import { RunHeadline } from '../runs/run-headline.tsx'
import { selectedColumn } from '../runs/selected-runs.tsx'
import { SearchFilter } from '../ui/forms/filters.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useComparableRuns } from './compare.queries.ts'
import { readIds, type Selection, toggled } from './use-selection.ts'

const facts: readonly Column<Run>[] = [
  { id: 'name', title: 'Run', width: 160, grow: true, rowHeader: true, cell: NameCell },
  { id: 'score', title: 'Score', width: 308, cell: run => <RunHeadline run={run} /> },
  { id: 'model', title: 'Model', width: 140, hiddenAtFirst: true, cell: run => <UntrustedText text={run.model.title} layout="prose" /> },
  {
    id: 'profiles',
    title: 'Profiles',
    width: 150,
    hiddenAtFirst: true,
    cell: run => <UntrustedText text={run.profiles.map(profileName).join(', ')} layout="prose" />,
  },
  { id: 'ended', title: 'Ended', width: 112, cell: run => <RelativeTime at={run.finished_at} /> },
]

function NameCell(run: Run) {
  return (
    <>
      {run.pinned_at === null ? null : <PinnedMark />}
      <UntrustedText text={run.name} layout="prose" />
    </>
  )
}

interface RunPickerProps {
  readonly selection: Selection
  /** Slug of the only benchmark whose runs are offered. */
  readonly benchmark?: string
}

/** Runs with a result; a row is chosen and left out by click, Enter or Space. */
export function RunPicker({ selection: { ids, toggle }, benchmark }: RunPickerProps) {
  const { get, set } = useAddress()
  const query = useComparableRuns(get('q'), benchmark)
  const chosen = ids.join(',')
  const columns = useMemo((): readonly Column<Run>[] => {
    const picked = new Set(chosen.split(','))
    const change = (id: string): void => set({ runs: toggled(readIds(chosen), id).join(',') })
    return [selectedColumn(picked, change), ...facts]
  }, [chosen, set])
  if (query.isError && !query.data) {
    return <ErrorState error={query.error} title="Couldn’t load the runs" onRetry={() => void query.refetch()} />
  }
  return (
    <div className="compare-picker">
      <DataTable<Run>
        id="compare-runs"
        label="Runs to choose from"
        columns={columns}
        rows={query.data?.rows ?? noRuns}
        rowId={run => run.id}
        loading={query.isPending}
        narrowed={get('q') !== ''}
        onOpen={run => toggle(run.id)}
        onMark={run => toggle(run.id)}
        more={query}
        toolbar={<SearchFilter label="Search runs" />}
        empty={
          get('q') === '' ? (
            <EmptyState
              title={benchmark === undefined ? 'No run has a result yet' : 'No run of it has a result yet'}
              action={
                <Button variant="default" component={Link} to="/quotes/new">
                  New run
                </Button>
              }
            >
              {benchmark === undefined
                ? 'Run two models on the same benchmark, then compare them here.'
                : 'Run a model on it, then choose the run here.'}
            </EmptyState>
          ) : (
            <NoMatches kind="runs" by="search" onClear={() => set({ q: null })} />
          )
        }
      />
    </div>
  )
}

const noRuns: readonly Run[] = []
