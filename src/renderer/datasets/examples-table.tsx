import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { type Example, ExampleOrigin, LabelState, ReviewState } from '../../contract/datasets/examples.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { splitReasoning } from '../../lib/split-reasoning.ts'
import { allItems } from '../api/pages.ts'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { SplitView } from '../ui/page/split-view.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { NoMatches } from '../ui/states/no-matches.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { SavedViews } from '../ui/table/saved-views.tsx'
import { tickColumn } from '../ui/table/tick-column.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { useChosen } from '../ui/table/use-chosen.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { fieldText, inputText, labelStateWords, labelText, oneLine, originWords, reviewStatuses } from './dataset-words.ts'
import { useExamples } from './datasets.queries.ts'
import { ExamplePanel } from './example-panel.tsx'
import { ReviewMenu } from './review-menu.tsx'

const origins = ExampleOrigin.shape.kind.options
const reviewOptions = ReviewState.options.map(value => ({ value, label: reviewStatuses[value].word }))
const labelOptions = LabelState.options.map(value => ({ value, label: labelStateWords[value] }))
const originOptions = origins.map(value => ({ value, label: originWords[value] }))

const columns: readonly Column<Example>[] = [
  { id: 'input', title: 'Input', width: 200, grow: true, rowHeader: true, cell: example => <Cell text={inputText(example.input)} /> },
  { id: 'review', title: 'Review', width: 104, cell: example => <StatusBadge status={reviewStatuses[example.review_state]} /> },
  { id: 'label', title: 'Label', width: 84, cell: example => <Cell text={labelText(example)} /> },
  { id: 'output', title: 'Output', width: 220, cell: ({ output }) => <Cell text={outputText(output)} /> },
  { id: 'expected', title: 'Expected', width: 120, cell: ({ expected }) => <Cell text={expected === null ? '–' : fieldText(expected)} /> },
  { id: 'source', title: 'Source', width: 120, hiddenAtFirst: true, cell: example => originWords[example.origin.kind] },
  { id: 'updated', title: 'Changed', width: 112, cell: example => <RelativeTime at={example.updated_at} /> },
]

function ticks(chosen: ReadonlySet<string>, toggle: (id: string) => void): Column<Example> {
  return tickColumn({
    label: ({ input }) => `Select ${showHidden(oneLine(inputText(input)).slice(0, 60))}`,
    isTicked: ({ id }) => chosen.has(id),
    onTick: ({ id }) => toggle(id),
  })
}

function Cell({ text }: { readonly text: string }) {
  return <UntrustedText text={oneLine(text)} layout="inline" />
}

/** The examples of a dataset, by words, review, label and source. */
export function ExamplesTable({ dataset }: { readonly dataset: Dataset }) {
  const { get, set } = useAddress()
  const filters = {
    q: get('q'),
    match: get('q') === '' ? undefined : oneOf(get('match'), ['exact']),
    review_state: oneOf(get('review'), ReviewState.options),
    label_state: oneOf(get('labels'), LabelState.options),
    origin: oneOf(get('source'), origins),
    label: get('label') || undefined,
  }
  const query = useExamples(dataset.id, filters)
  const { chosen, toggle, choose } = useChosen()
  const rows = allItems(query.data)
  const tickable = useMemo(() => (dataset.archived ? columns : [ticks(chosen, toggle), ...columns]), [dataset.archived, chosen, toggle])
  const open = get('open')
  if (query.isError && !query.data)
    return <ErrorState error={query.error} title="Couldn’t load the examples" onRetry={() => void query.refetch()} />
  return (
    <SplitView panel={open ? <ExamplePanel datasetId={dataset.id} exampleId={open} onClose={() => set({ open: null })} /> : null}>
      <DataTable<Example>
        id="dataset-examples"
        label="Examples"
        columns={tickable}
        rows={rows}
        rowId={example => example.id}
        loading={query.isPending}
        narrowed={dataset.counts.total > 0}
        openId={open || null}
        onOpen={example => set({ open: example.id })}
        {...(dataset.archived ? {} : { onMark: (example: Example) => toggle(example.id) })}
        more={query}
        toolbar={
          <>
            <SearchFilter label="Search examples" exact="match" />
            <SelectFilter label="Review" name="review" options={reviewOptions} />
            <SelectFilter label="Label state" name="labels" options={labelOptions} />
            {dataset.labels ? (
              <SelectFilter label="Label" name="label" options={dataset.labels.map(value => ({ value, label: value }))} />
            ) : null}
            <SelectFilter label="Source" name="source" options={originOptions} width={136} />
            <SavedViews list="examples" compact />
            {dataset.archived || dataset.counts.total === 0 ? null : (
              <ReviewMenu
                dataset={dataset}
                filters={filters}
                filtered={Object.values(filters).some(value => value !== undefined && value !== '')}
                chosen={rows.filter(({ id }) => chosen.has(id))}
                onDone={() => choose([])}
              />
            )}
          </>
        }
        empty={dataset.counts.total === 0 ? <NoExamples id={dataset.id} /> : <NoMatches kind="examples" onClear={() => set(noFilters)} />}
      />
    </SplitView>
  )
}

const noFilters = { q: null, match: null, review: null, labels: null, label: null, source: null }

function NoExamples({ id }: { readonly id: string }) {
  return (
    <EmptyState
      title="No examples yet"
      action={
        <Button component={Link} to={`/datasets/${id}/import`}>
          Import a file
        </Button>
      }
    >
      Import a CSV, JSON, JSON Lines or Parquet file, add one by hand, or select samples of a run and add them.
    </EmptyState>
  )
}

function outputText(output: Example['output']): string {
  if (output === null) return '–'
  const [text, a, b] = (typeof output === 'string' ? [output, '', ''] : ['', output.a, output.b]).map(each => splitReasoning(each).output)
  return typeof output === 'string' ? (text ?? '') : `a: ${a} · b: ${b}`
}
