import './compare.css'
import '../samples/samples.css'
import './matrix.css'
import { useQuery } from '@tanstack/react-query'
import { ActionIcon, Tooltip } from '@mantine/core'
import { type KeyboardEvent, type MouseEvent, useCallback, useMemo, useRef } from 'react'
import { useParams } from 'react-router'
import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { type MatrixRow, matrixVerdicts } from '../../contract/comparisons/matrix.schemas.ts'
import { outcomeCodes } from '../../contract/runs/samples.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { walkKey } from '../samples/walk-key.ts'
import { ChosenFilter } from '../ui/forms/chosen-filter.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SidePanel, SplitView } from '../ui/page/split-view.tsx'
import { IconBaselineDensityMedium, IconBaselineDensitySmall, IconChevronDown, IconChevronUp } from '../ui/pictures/icons.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { TableSkeleton } from '../ui/states/skeletons.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { allComparisons, ComparisonHeader } from './comparison-header.tsx'
import { comparisonQuery, type MatrixFilters, useMatrix, useMatrixRow } from './compare.queries.ts'
import { matrixColumns, verdictWords, withLetter } from './matrix-columns.tsx'
import { Sides } from './sides.tsx'

const agreements = [
  { value: 'different', label: 'Models differ' },
  { value: 'same', label: 'Models agree' },
] as const
const verdictOptions = [...verdictWords].map(([value, { word }]) => ({ value, label: word }))
const noRows: readonly MatrixRow[] = []
const noFilters = { agreement: null, verdict: null, pattern: null, profile: null, q: null, match: null }
/** Pixels: one line of text, or three. */
const rowHeights = { 1: 32, 3: 68 } as const

/** What each model answered to each task of a comparison. */
export function MatrixPage() {
  const { comparisonId = '' } = useParams()
  const query = useQuery(comparisonQuery(comparisonId))
  return (
    <Page layout="fill">
      <QueryView
        query={query}
        failure="Couldn’t load the comparison"
        header={<PageHeader title="Comparison" parent={allComparisons} />}
        loading={<TableSkeleton />}
      >
        {comparison => (
          <>
            <ComparisonHeader comparison={comparison} />
            <Matrix key={comparison.id} comparison={comparison} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Matrix({ comparison }: { readonly comparison: Comparison }) {
  const { get, set } = useAddress()
  const frame = useRef<HTMLDivElement>(null)
  const clicked = useRef<string | null>(null)
  const { runs } = comparison
  const pattern = get('pattern')
  const filters: MatrixFilters = {
    agreement: oneOf(get('agreement'), ['different', 'same']),
    verdict: oneOf(get('verdict'), matrixVerdicts),
    // The address may be hand-edited.
    pattern: pattern.length === runs.length && /^[cwpufm.]+$/.test(pattern) ? pattern : undefined,
    profile: get('profile') || undefined,
    q: get('q'),
    match: oneOf(get('match'), ['exact']) ?? 'words',
  }
  const list = useMatrix(comparison.id, filters)
  const opened = get('open') === '' || !Number.isInteger(Number(get('open'))) ? null : Number(get('open'))
  const { listed, row: openRow, index: openIndex } = useMatrixRow(comparison.id, filters, opened, list)
  const chosenId = runs.find(run => run.id === get('run'))?.id ?? runs[1]?.id ?? ''
  const isBeside = opened !== null
  const isChoosing = isBeside || get('run') !== ''
  const lines = get('lines') === '3' ? 3 : 1
  const onPattern = useCallback((next: string) => set({ pattern: /^\.*$/.test(next) ? null : next }), [set])
  const columns = useMemo(
    () =>
      matrixColumns({
        comparison,
        chosenId: isChoosing ? chosenId : '',
        pattern,
        lines,
        isBeside,
        onPattern,
      }),
    [comparison, isChoosing, chosenId, pattern, lines, isBeside, onPattern],
  )
  if (list.error) return <ErrorState error={list.error} title="Couldn’t load the tasks" onRetry={list.retry} />

  const open = (row: MatrixRow | undefined): void => {
    if (row) set({ open: String(row.position), ...(clicked.current === null ? {} : { run: clicked.current }) })
    clicked.current = null
  }
  const focusGrid = (): void => frame.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  const close = (): void => {
    set({ open: null })
    focusGrid()
  }
  const clear = (no: number): void => {
    onPattern(withLetter(pattern, runs.length, no, '.'))
    // The button is gone, and the keys are the grid's.
    focusGrid()
  }
  const neighbor = (step: 1 | -1): MatrixRow | undefined => (openIndex < 0 ? undefined : list.rowAt(openIndex + step))
  const onKeyDown = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, [role="menu"], [role="separator"]')
    if (event.defaultPrevented || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const aside = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (aside !== 0) {
      event.preventDefault()
      const next = runs[runs.findIndex(run => run.id === chosenId) + aside]
      if (next) set({ run: next.id })
    } else if (event.key === 'd') set({ agreement: filters.agreement === 'different' ? null : 'different' })
    else {
      const step = walkKey(event)
      if (opened !== null && step !== null) open(neighbor(step))
    }
  }
  const filtered = Object.entries(filters).some(([name, value]) => name !== 'match' && value !== undefined && value !== '')
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- keys that work wherever the focus is inside; a click is told which cell it was in
    <div
      className="samples-frame"
      ref={frame}
      onKeyDown={onKeyDown}
      onClickCapture={(event: MouseEvent) => {
        clicked.current = runOfCell(event.target)
      }}
    >
      <SplitView
        panel={
          opened === null ? null : (
            <SidePanel
              label="Answers"
              title={<UntrustedText text={(listed ?? openRow.data)?.task_id ?? ''} layout="prose" />}
              onClose={close}
              actions={
                <>
                  <Walk label="Previous task (k)" icon={IconChevronUp} to={neighbor(-1)} onOpen={open} />
                  <Walk label="Next task (j)" icon={IconChevronDown} to={neighbor(1)} onOpen={open} />
                </>
              }
            >
              {openIndex < 0 && openRow.data ? (
                <p className="quiet small samples-note">This task does not match the list’s filters.</p>
              ) : null}
              {listed ? (
                <Answers row={listed} runs={runs} chosenId={chosenId} />
              ) : (
                <QueryView query={openRow} failure="Couldn’t load the task">
                  {row =>
                    row ? <Answers row={row} runs={runs} chosenId={chosenId} /> : <EmptyState title="This comparison has no such task" />
                  }
                </QueryView>
              )}
            </SidePanel>
          )
        }
      >
        <DataTable<MatrixRow>
          id={`matrix-${runs.length}`}
          label="Answers by task and model"
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
          rowId={row => String(row.position)}
          rowHeight={rowHeights[lines]}
          loading={list.total === null}
          openId={opened === null ? null : String(opened)}
          onOpen={open}
          toolbar={
            <>
              <SearchFilter label="Search tasks and answers" exact="match" width={230} />
              <SelectFilter label="Agreement" name="agreement" options={agreements} width={150} />
              <SelectFilter label="Any verdict" name="verdict" options={verdictOptions} width={140} />
              {comparison.profiles.length > 1 ? (
                <SelectFilter
                  label="Profile"
                  name="profile"
                  width={200}
                  options={comparison.profiles.map(profile => ({ value: profile.profile_id, label: showHidden(profile.title) }))}
                />
              ) : null}
              {/* The headings that filter are gone where no task matches. */}
              {runs.map((run, no) => {
                const verdict = matrixVerdicts.find(one => outcomeCodes[one] === filters.pattern?.[no])
                if (verdict === undefined) return null
                const words = `${verdictWords.get(verdict)?.word ?? verdict}: ${showHidden(run.label)}`
                return <ChosenFilter key={run.id} words={words} onClear={() => clear(no)} />
              })}
              <Tooltip label={lines === 1 ? 'Show three lines of each output' : 'Show one line of each answer'}>
                <ActionIcon
                  variant="default"
                  size={32}
                  aria-label="Tall rows"
                  aria-pressed={lines === 3}
                  onClick={() => set({ lines: lines === 1 ? '3' : null })}
                >
                  {lines === 1 ? <IconBaselineDensityMedium size={16} aria-hidden /> : <IconBaselineDensitySmall size={16} aria-hidden />}
                </ActionIcon>
              </Tooltip>
              <RequestMenu operation="listMatrix" request={{ params: { comparison_id: comparison.id }, query: filters }} />
            </>
          }
          empty={filtered ? <NoMatches kind="tasks" onClear={() => set(noFilters)} /> : <EmptyState title="No tasks" />}
        />
      </SplitView>
    </div>
  )
}

function Answers({ row, ...shown }: { readonly row: MatrixRow } & Pick<Parameters<typeof Sides>[0], 'runs' | 'chosenId'>) {
  return <Sides task={{ metric: row.metric, outcomes: row.cells }} {...shown} />
}

/** The run of the cell that was clicked; null elsewhere. */
function runOfCell(target: EventTarget): string | null {
  const cell = target instanceof Element ? target.closest('td')?.querySelector<HTMLElement>('[data-run]') : null
  return cell?.dataset['run'] ?? null
}

interface WalkProps {
  readonly label: string
  readonly icon: typeof IconChevronUp
  readonly to: MatrixRow | undefined
  readonly onOpen: (row: MatrixRow) => void
}

function Walk({ label, icon: Icon, to, onOpen }: WalkProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" disabled={!to} onClick={() => to && onOpen(to)} aria-label={label}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}
