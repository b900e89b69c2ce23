import './samples.css'
import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Sample } from '../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { canRetry } from '../runs/follow-up.ts'
import { useRunContext } from '../runs/use-run-context.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { SplitView } from '../ui/page/split-view.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { tickColumn } from '../ui/table/tick-column.tsx'
import { useAddress, useAddressSort } from '../ui/table/use-address.ts'
import { SamplePanel } from './sample-panel.tsx'
import { samplesColumns } from './samples-columns.tsx'
import { SamplesToolbar } from './samples-toolbar.tsx'
import { usePlace, useSamples } from './samples.queries.ts'
import { useChosen } from '../ui/table/use-chosen.ts'
import { moreFilterNames } from './more-filter-names.ts'
import { useSampleFilters } from './use-sample-filters.ts'
import { walkKey } from './walk-key.ts'

function ticks(chosen: ReadonlySet<string>, toggle: (id: string) => void): Column<Sample> {
  return tickColumn({
    label: sample => `Select sample ${formatCount(sample.position + 1)}`,
    isTicked: sample => chosen.has(sample.id),
    onTick: sample => toggle(sample.id),
  })
}

/** Fits beside an open transcript where the window is too narrow for every column; the rest is in the transcript. */
const besideTranscript: ReadonlySet<string> = new Set(['chosen', 'position', 'task', 'verdict', 'input', 'answer'])

const noRows: readonly Sample[] = []
const noFilters = Object.fromEntries(['profile', 'q', 'match', 'outcome', 'group_code', ...moreFilterNames].map(name => [name, null]))

/** Every sample of a run, with the opened transcript beside the list. */
export function SamplesPage() {
  const { run } = useRunContext()
  const frame = useRef<HTMLDivElement>(null)
  const { get, set } = useAddress()
  const [sort, setSort] = useAddressSort()
  const filters = useSampleFilters()
  const list = useSamples(run, filters)
  const { profiles, coverage } = run
  // Counts move while a run works; the columns only depend on what was frozen.
  // oxlint-disable-next-line react/exhaustive-deps
  const all = useMemo(() => samplesColumns(run), [profiles, coverage])
  // Stays while other rows are scrolled to, so that the columns do not jump.
  const [annotated, setAnnotated] = useState(false)
  if (list.annotated && !annotated) setAnnotated(true)
  const [illustrated, setIllustrated] = useState(false)
  if (list.illustrated && !illustrated) setIllustrated(true)
  const facts = useMemo(
    () => all.filter(({ id }) => (annotated || id !== 'annotations') && (illustrated || id !== 'images')),
    [all, annotated, illustrated],
  )
  const { chosen, toggle, choose } = useChosen()
  const choosing = canRetry(run)
  const openId = get('open') || null
  const tight = (useMediaQuery('(max-width: 1700px)') ?? false) && openId !== null
  const columns = useMemo(() => {
    const shown = choosing ? [ticks(chosen, toggle), ...facts] : facts
    if (!tight) return shown
    return shown.filter(({ id }) => besideTranscript.has(id)).map(column => (column.grow ? { ...column, width: 120 } : column))
  }, [choosing, chosen, toggle, facts, tight])
  const { place: openIndex, listed, know } = usePlace(run, filters, openId)

  const focusList = (): void => frame.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  const { id: runId } = run
  const { rowAt } = list
  const show = (sample: Sample | undefined, index: number): void => {
    if (!sample) return
    know(sample.id, index)
    set({ open: sample.id })
  }
  const go = async (index: number): Promise<void> => {
    const loaded = rowAt(index)
    if (loaded) return show(loaded, index)
    const { items } = await call('listSamples', { params: { run_id: runId }, query: { ...filters, offset: index, limit: 1 } })
    show(items[0], index)
  }
  const open = (index: number): void => void go(index).catch((error: unknown) => notifyFailed('Couldn’t load the sample', error))
  // The toolbar is drawn again only when what it shows changes.
  const latestOpen = useRef(open)
  useEffect(() => {
    latestOpen.current = open
  })
  const goToRow = useCallback((index: number) => latestOpen.current(index), [])
  const close = (): void => {
    set({ open: null })
    focusList()
  }
  if (list.error) return <ErrorState error={list.error} title="Couldn’t load the samples" onRetry={list.retry} />
  const { sort: _, ...narrowing } = filters
  const total = list.total ?? 0
  const filtered = Object.values(narrowing).some(value => value !== undefined && value !== '')
  const neighbor = (step: 1 | -1): number | null =>
    openIndex >= 0 && openIndex + step >= 0 && openIndex + step < total ? openIndex + step : null
  const onKeyDown = (event: KeyboardEvent): void => {
    if (openId === null || event.defaultPrevented) return
    if (event.key === 'Escape') return close()
    const step = walkKey(event)
    const next = step === null ? null : neighbor(step)
    if (next !== null) open(next)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys that work wherever the focus is inside
    <div className="samples-frame" ref={frame} onKeyDown={onKeyDown}>
      <SplitView
        panel={
          openId === null ? null : (
            <SamplePanel
              run={run}
              sampleId={openId}
              listed={listed}
              previous={neighbor(-1)}
              next={neighbor(1)}
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
          rows={noRows}
          lazy={{
            count: list.total ?? 0,
            rowAt: list.rowAt,
            openIndex,
            onRange: list.onRange,
            searching: list.searching,
            contents: JSON.stringify(filters),
          }}
          rowId={sample => sample.id}
          sort={sort}
          onSort={setSort}
          sortedBy="service"
          loading={list.total === null}
          openId={openId}
          onOpen={(_sample, index) => open(index)}
          {...(choosing ? { onMark: (sample: Sample) => toggle(sample.id) } : {})}
          toolbar={
            <SamplesToolbar
              run={run}
              filters={filters}
              filtered={filtered}
              chosen={chosen}
              onChoose={choose}
              total={list.total}
              searchedBy={list.searchedBy}
              onGo={goToRow}
            />
          }
          empty={filtered ? <NoMatches kind="samples" onClear={() => set(noFilters)} /> : <EmptyState title="No samples" />}
        />
      </SplitView>
    </div>
  )
}
