import './traces.css'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { ServiceError } from '../../contract/client.ts'
import { TraceSource } from '../../contract/traces/traces.schemas.ts'
import { mostDraftedTraces } from '../../contract/worlds/play.schemas.ts'
import { worldLimits } from '../../contract/worlds/worlds.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useStartDraft } from '../worlds/worlds.queries.ts'
import { allItems } from '../api/pages.ts'
import { FilingFilters } from '../items/filing-filters.tsx'
import { SelectedItems } from '../items/selected-items.tsx'
import { noFiling, useFilingQuery } from '../items/use-filing.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { SavedViews } from '../ui/table/saved-views.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { AddToDataset } from './add-to-dataset.tsx'
import { FirstTraces } from './first-traces.tsx'
import { everyMatchingId, useChangeTraces, useTraces } from './traces.queries.ts'
import { sourceWords, tracesColumns } from './traces-columns.tsx'

const sourceOptions = TraceSource.options.map(value => ({ value, label: sourceWords[value] }))
const errorOptions = [
  { value: 'true', label: 'With errors' },
  { value: 'false', label: 'Without errors' },
] as const
/** Traces that are added at a time, over several requests. */
const mostChosen = 5_000

/** Every trace of the workspace, newest first. */
export function TracesPage() {
  const navigate = useNavigate()
  const { get, set } = useAddress()
  const errors = oneOf(get('errors'), ['true', 'false'])
  const filing = useFilingQuery('trace')
  const filters = {
    ...filing,
    q: get('q'),
    match: oneOf(get('match'), ['exact']) ?? ('words' as const),
    source: oneOf(get('source'), TraceSource.options),
    model: get('model'),
    has_error: errors && errors === 'true',
  }
  const query = useTraces(filters)
  const rows = useMemo(() => allItems(query.data), [query.data])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set())
  const [adding, setAdding] = useState(false)
  // Named with its filters: it ends when those change.
  const [named, setNamed] = useState<{ readonly filter: string; readonly count: number; readonly asOf: string } | null>(null)
  const toggle = useCallback((id: string) => {
    setNamed(null)
    setChosen(before => {
      const after = new Set(before)
      if (!after.delete(id) && after.size < mostChosen) after.add(id)
      return after
    })
  }, [])
  const filter = { ...filters, model: filters.model || undefined }
  const everything = named?.filter === JSON.stringify(filter) ? named : null
  const change = useChangeTraces()
  const clear = (): void => {
    setChosen(new Set())
    setNamed(null)
  }
  const all = useMutation({
    mutationFn: () => Promise.all([everyMatchingId(filters, mostChosen), change.mutateAsync({ filter, dry_run: true })]),
    onSuccess: ([ids, { matched, as_of: asOf }]) => {
      setChosen(new Set(ids))
      setNamed({ filter: JSON.stringify(filter), count: matched, asOf })
    },
    onError: error => notifyFailed('Couldn’t select the traces', error),
  })
  const draft = useStartDraft()
  const makeTest = (): void => {
    if (chosen.size <= mostDraftedTraces) return void navigate(`/environments/new?traces=${[...chosen].join(',')}`)
    draft.mutate(
      { trace_ids: [...chosen] },
      {
        onSuccess: ({ id }) => void navigate(`/environments/new?draft=${id}`),
        onError: error => notifyFailed('Couldn’t make a test of the traces', error),
      },
    )
  }
  const columns = useMemo(() => tracesColumns(chosen, toggle), [chosen, toggle])
  const filtered = Boolean(filters.q || filters.source || filters.model || errors || filing.folder || filing.archived)
  const isFirst = query.isSuccess && rows.length === 0 && !filtered

  return (
    <Page layout={isFirst ? 'flow' : 'fill'}>
      <PageHeader
        title="Traces"
        description={isFirst ? 'What your application asked its models, step by step. Turn real conversations into test cases.' : undefined}
        actions={
          <>
            <RequestMenu operation="listTraces" request={{ query: filters }} />
            <Button component={Link} to="/traces/integrations" variant="default">
              Integrations
            </Button>
            <ReasonedButton
              blocked={
                chosen.size === 0
                  ? 'Select traces in the list first.'
                  : chosen.size > worldLimits.tasks
                    ? `A test is made of at most ${formatCount(worldLimits.tasks)} traces.`
                    : null
              }
              variant="default"
              loading={draft.isPending}
              onClick={makeTest}
            >
              Make a test
            </ReasonedButton>
            <ReasonedButton blocked={chosen.size === 0 ? 'Select traces in the list first.' : null} onClick={() => setAdding(true)}>
              {chosen.size === 0 ? 'Add to dataset' : `Add ${formatCount(chosen.size)} to dataset`}
            </ReasonedButton>
          </>
        }
      />
      {adding ? <AddToDataset traceIds={[...chosen]} onClose={() => setAdding(false)} onAdded={clear} /> : null}
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title="Couldn’t load traces" onRetry={() => void query.refetch()} />
      ) : isFirst ? (
        <FirstTraces />
      ) : (
        <DataTable
          id="traces"
          label="Traces"
          columns={columns}
          rows={rows}
          rowId={trace => trace.id}
          loading={query.isPending}
          onOpen={trace => void navigate(`/traces/${trace.id}`)}
          onMark={trace => toggle(trace.id)}
          more={query}
          toolbar={
            <>
              <SearchFilter label="Search traces" exact="match" />
              {chosen.size === 0 ? (
                <>
                  <SelectFilter label="Source" name="source" options={sourceOptions} />
                  <SearchFilter label="Model" name="model" width={150} />
                  <SelectFilter label="Status" name="errors" options={errorOptions} />
                  <FilingFilters kind="trace" />
                  <SavedViews list="traces" compact />
                  <Button variant="default" size="xs" loading={all.isPending} onClick={() => all.mutate()}>
                    {filtered ? 'Select all that match' : 'Select all'}
                  </Button>
                </>
              ) : (
                // One row in either case, so that the list does not move under the pointer.
                <>
                  {everything ? <span>All {formatCount(everything.count)} traces that match</span> : null}
                  <SelectedItems
                    kind="trace"
                    ids={[...chosen]}
                    isRestoring={filing.archived === 'true'}
                    everything={
                      everything && {
                        count: everything.count,
                        change: changes =>
                          change.mutateAsync(
                            { filter, expected: everything.count, as_of: everything.asOf, ...changes },
                            // Traces came in meanwhile: the selection says how many match now.
                            { onError: error => void (error instanceof ServiceError && error.code === 'conflict' && all.mutate()) },
                          ),
                      }
                    }
                    onClear={clear}
                  />
                </>
              )}
            </>
          }
          empty={
            <NoMatches kind="traces" onClear={() => set({ q: null, match: null, source: null, model: null, errors: null, ...noFiling })} />
          }
        />
      )}
    </Page>
  )
}
