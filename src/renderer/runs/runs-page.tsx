import './runs.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { runMachine } from '../../contract/runs/run.machine.ts'
import { runSorts } from '../../contract/runs/runs.schemas.ts'
import { allItems } from '../api/pages.ts'
import { definedOf } from '../../lib/defined-of.ts'
import { hasAnnotations } from '../annotations/annotation-summary.tsx'
import { TagFilter } from '../annotations/tag-filter.tsx'
import { archivedOptions, FolderFilter } from '../items/filing-filters.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { AllArchived } from '../ui/states/all-archived.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { SavedViews } from '../ui/table/saved-views.tsx'
import { SelectAll } from '../ui/table/tick-column.tsx'
import { useChosen } from '../ui/table/use-chosen.ts'
import { oneOf, useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { runStatuses } from '../ui/values/statuses.ts'
import { createdBetween, DateFilter } from './date-filter.tsx'
import { runsColumns } from './runs-columns.tsx'
import { type Everything, selectedColumn, SelectedRuns } from './selected-runs.tsx'
import { hasArchivedRunsQuery, useRuns } from './runs.queries.ts'
import { useRunChoices } from './use-run-choices.ts'
import { WhoFilter } from './who-filter.tsx'

/** Two lines of names. */
const ROW_HEIGHT = 44

const bookmarkedOptions = [{ value: 'true', label: 'Bookmarked' }] as const
const pinnedOptions = [{ value: 'true', label: 'Pinned baselines' }] as const
const statusOptions = runMachine.states.map(status => ({ value: status, label: runStatuses[status].word }))

const noFilters = Object.fromEntries(
  ['q', 'status', 'archived', 'tag', 'bookmarked', 'pinned', 'model', 'benchmark', 'folder', 'by', 'from', 'to'].map(name => [name, null]),
)

export function RunsPage() {
  const navigate = useNavigate()
  const { get, set } = useAddress()
  const [sort, setSort] = useAddressSort()
  const filters = {
    q: get('q'),
    status: oneOf(get('status'), runMachine.states),
    archived: oneOf(get('archived'), ['true', 'any']),
    tag: get('tag') || undefined,
    bookmarked: oneOf(get('bookmarked'), ['true']),
    pinned: oneOf(get('pinned'), ['true']),
    model: get('model') || undefined,
    benchmark: get('benchmark') || undefined,
    folder: get('folder') || undefined,
    by: get('by') || undefined,
    ...createdBetween(get('from'), get('to')),
    sort: oneOf(get('sort'), runSorts),
  }
  const { sort: _, ...given } = filters
  const narrowing = definedOf(given)
  const narrowed = Object.values(narrowing).some(Boolean)
  // Named with its filters: it ends when those change.
  const [named, setNamed] = useState<Everything | null>(null)
  const everything = named !== null && JSON.stringify(named.filter) === JSON.stringify(narrowing) ? named : null
  const choices = useRunChoices()
  const query = useRuns(filters)
  const rows = useMemo(() => allItems(query.data), [query.data])
  const { chosen, toggle, choose } = useChosen()
  const selected = rows.filter(run => chosen.has(run.id))
  // Tags take room once a run has some.
  const annotated = rows.some(run => hasAnnotations(run.annotations))
  const isEverything = everything !== null
  const columns = useMemo(() => {
    const listed = rows.map(run => run.id)
    const ticked = isEverything ? new Set(listed) : chosen
    const tick = (ids: readonly string[]): void => {
      setNamed(null)
      choose(ids)
    }
    const toggleOne = (id: string): void => (isEverything ? tick(listed.filter(one => one !== id)) : toggle(id))
    const head = <SelectAll what="runs" listed={listed} chosen={ticked} onChoose={tick} />
    return [{ ...selectedColumn(ticked, toggleOne), head }, ...runsColumns.filter(({ id }) => id !== 'annotations' || annotated)]
  }, [rows, chosen, toggle, choose, annotated, isEverything, setNamed])
  return (
    <Page layout="fill">
      <PageHeader
        title="Runs"
        actions={
          <>
            <RequestMenu operation="listRuns" request={{ query: filters }} />
            <Button component={Link} to="/runs/import" variant="default">
              Import outputs
            </Button>
            <Button component={Link} to="/quotes/new">
              New run
            </Button>
          </>
        }
      />
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title="Couldn’t load the runs" onRetry={() => void query.refetch()} />
      ) : (
        <DataTable
          id="runs"
          label="Runs"
          columns={columns}
          rows={rows}
          rowHeight={ROW_HEIGHT}
          rowId={run => run.id}
          sort={sort}
          onSort={setSort}
          sortedBy="service"
          loading={query.isPending}
          narrowed={narrowed}
          onMark={run => toggle(run.id)}
          onOpen={run => void navigate(`/runs/${run.id}`)}
          more={query}
          toolbar={
            // One row in either case, so that the list does not move under the pointer.
            selected.length > 0 ? (
              <SelectedRuns
                runs={selected}
                everything={everything}
                filter={narrowing}
                hasMore={query.hasNextPage && selected.length === rows.length}
                onEverything={setNamed}
                onClear={() => {
                  choose([])
                  setNamed(null)
                }}
              />
            ) : (
              <>
                <SearchFilter label="Search runs" />
                <SelectFilter label="Status" name="status" options={statusOptions} />
                <SelectFilter label="Model" name="model" options={choices.models} width={150} />
                <SelectFilter label="Benchmark" name="benchmark" options={choices.benchmarks} width={160} />
                <SelectFilter label="Archived" name="archived" options={archivedOptions} width={130} />
                <TagFilter runId={null} width={120} />
                <FolderFilter kind="run" />
                <WhoFilter />
                <DateFilter />
                <SavedViews list="runs" />
                <SelectFilter label="Bookmark" name="bookmarked" options={bookmarkedOptions} width={126} />
                <SelectFilter label="Pinned" name="pinned" options={pinnedOptions} width={126} />
              </>
            )
          }
          empty={
            narrowed ? (
              <NoMatches kind="runs" onClear={() => set(noFilters)} />
            ) : (
              <NoRuns onShowArchived={() => set({ archived: 'true' })} />
            )
          }
        />
      )}
    </Page>
  )
}

function NoRuns({ onShowArchived }: { readonly onShowArchived: () => void }) {
  const { data: hasArchived } = useQuery(hasArchivedRunsQuery)
  if (hasArchived) return <AllArchived kind="run" onShow={onShowArchived} />
  return (
    <EmptyState
      title="No runs yet"
      picture="runs"
      action={
        <Button component={Link} to="/quotes/new" variant="default">
          New run
        </Button>
      }
    >
      A run starts from a quote: choose a model and a benchmark, see whether they fit and what they cost, then submit.
    </EmptyState>
  )
}
