import './samples.css'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { isTerminal, runMachine, type Sample, sampleSorts, sampleStates } from '../../contract/index.ts'
import { allItems } from '../api/pages.ts'
import { canRetry } from '../runs/follow-up.ts'
import { useRunContext } from '../runs/use-run-context.ts'
import { SplitView } from '../ui/page/split-view.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { formatSort } from '../ui/table/sort.ts'
import { oneOf, useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { chosenColumn } from './chosen-column.tsx'
import { SamplePanel } from './sample-panel.tsx'
import { samplesColumns } from './samples-columns.tsx'
import { SamplesToolbar } from './samples-toolbar.tsx'
import { type SampleFilters, useSamples } from './samples.queries.ts'
import { passedOptions } from './passed-options.ts'
import { useChosen } from './use-chosen.ts'
import { walkKey } from './walk-key.ts'

/** Every sample of a run, with the opened transcript beside the list. */
export function SamplesPage() {
  const { run } = useRunContext()
  const client = useQueryClient()
  const frame = useRef<HTMLDivElement>(null)
  const { get, set } = useAddress()
  const [sort, setSort] = useAddressSort()
  const filters: SampleFilters = {
    status: oneOf(get('status'), sampleStates),
    passed: oneOf(
      get('passed'),
      passedOptions.map(option => option.value),
    ),
    profile: get('profile') || undefined,
    q: get('q'),
    sort: oneOf(formatSort(sort) ?? '', sampleSorts),
  }
  const query = useSamples(run, filters)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const rows = useMemo(() => allItems(query.data), [query.data])
  const { profiles, coverage } = run
  // Counts move while a run works; the columns only depend on what was frozen.
  // oxlint-disable-next-line react/exhaustive-deps
  const facts = useMemo(() => samplesColumns(run), [profiles, coverage])
  const { chosen, toggle } = useChosen()
  const choosing = canRetry(run)
  const columns = useMemo(() => (choosing ? [chosenColumn(chosen, toggle), ...facts] : facts), [choosing, chosen, toggle, facts])
  const openId = get('open') || null
  const openIndex = openId === null ? -1 : rows.findIndex(row => row.id === openId)

  const focusList = (): void => frame.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  const open = (id: string | null): void => set({ open: id })
  const close = (): void => {
    open(null)
    focusList()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (openId === null || event.defaultPrevented) return
    if (event.key === 'Escape') return close()
    const step = walkKey(event)
    const target = step === null ? undefined : rows[openIndex + step]
    if (target && openIndex >= 0) open(target.id)
  }

  if (query.isError && !query.data) {
    return <ErrorState error={query.error} title="The samples could not be read" onRetry={() => void query.refetch()} />
  }
  const filtered = Boolean(filters.status || filters.passed || filters.profile || filters.q)
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys that work wherever the focus is inside
    <div className="samples-frame" ref={frame} onKeyDown={onKeyDown}>
      <SplitView
        panel={
          openId === null ? null : (
            <SamplePanel
              run={run}
              sampleId={openId}
              previousId={rows[openIndex - 1]?.id ?? null}
              nextId={openIndex < 0 ? null : (rows[openIndex + 1]?.id ?? null)}
              onOpen={open}
              onClose={close}
            />
          )
        }
      >
        <DataTable
          id={profiles.length > 1 ? 'samples-of-several' : 'samples'}
          label="Samples"
          columns={columns}
          rows={rows}
          rowId={sample => sample.id}
          sort={sort}
          onSort={setSort}
          sortedBy="service"
          loading={query.isPending}
          openId={openId}
          onOpen={sample => open(sample.id)}
          {...(choosing ? { onMark: (sample: Sample) => toggle(sample.id) } : {})}
          more={{ has: hasNextPage, loading: isFetchingNextPage, load: () => void fetchNextPage() }}
          toolbar={
            <SamplesToolbar
              run={run}
              filters={filters}
              filtered={filtered}
              chosen={chosen}
              {...(isTerminal(runMachine, run.status)
                ? {}
                : { onRefresh: () => void client.resetQueries({ queryKey: ['samples', run.id, 'live'] }) })}
            />
          }
          empty={
            <EmptyState
              title={filtered ? 'No samples match these filters' : 'No samples'}
              action={
                filtered ? (
                  <Button variant="default" onClick={() => set({ status: null, passed: null, profile: null, q: null })}>
                    Clear filters
                  </Button>
                ) : null
              }
            />
          }
        />
      </SplitView>
    </div>
  )
}
