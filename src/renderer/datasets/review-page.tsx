import './datasets.css'
import { Button, NumberInput, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { exampleMachine } from '../../contract/datasets/example.machine.ts'
import { allows } from '../../contract/machine.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { useMe } from '../api/session.queries.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { PageFailure } from '../ui/table/load-more.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { labelStateWords, labelText, reviewStatuses } from './dataset-words.ts'
import { datasetQuery } from './datasets.queries.ts'
import { EditExampleDialog } from './edit-example-dialog.tsx'
import { ExampleView } from './example-view.tsx'
import { useReviewKeys } from './use-review-keys.ts'
import { type ReviewQueue, useReviewQueue } from './use-review-queue.ts'

/** One example at a time, for the keyboard. */
export function ReviewPage() {
  const { datasetId = '' } = useParams()
  const query = useQuery(datasetQuery(datasetId))
  const me = useMe()
  const { get, set } = useAddress()
  const dataset = query.data
  const state = get('state') === 'draft' || (get('state') === '' && dataset?.counts.in_review === 0) ? 'draft' : 'in_review'
  return (
    <Page layout="narrow">
      <PageHeader
        title="Review"
        parent={{ title: dataset ? showHidden(dataset.name) : 'Dataset', to: `/datasets/${datasetId}` }}
        actions={
          <SegmentedControl
            aria-label="What to review"
            value={state}
            onChange={value => set({ state: value })}
            data={[
              { value: 'in_review', label: 'In review' },
              { value: 'draft', label: 'Drafts' },
            ]}
          />
        }
      />
      <QueryView query={query} failure="Couldn’t load the dataset">
        {found => <Queue key={state} dataset={found} state={state} reviewer={me.data?.name ?? ''} />}
      </QueryView>
    </Page>
  )
}

function Queue({
  dataset,
  state,
  reviewer,
}: {
  readonly dataset: Dataset
  readonly state: 'draft' | 'in_review'
  readonly reviewer: string
}) {
  const queue = useReviewQueue(dataset.id, state, reviewer)
  const [editing, setEditing] = useState(false)
  useReviewKeys(dataset, queue, () => setEditing(true))
  const { query, example, index, count } = queue
  if (query.isError && !query.data)
    return <ErrorState error={query.error} title="Couldn’t load the queue" onRetry={() => void query.refetch()} />
  if (query.isPending) return <LinesSkeleton />
  if (!example) {
    return (
      <EmptyState
        title={state === 'draft' ? 'No drafts' : 'Nothing is in review'}
        action={
          <Button component={Link} to={`/datasets/${dataset.id}`} variant="default">
            Back to the examples
          </Button>
        }
      />
    )
  }
  const { label_state: labelState } = example
  return (
    <>
      <div className="row" aria-live="polite">
        <span className="num">
          {formatCount(index + 1)} of {formatCount(Math.max(dataset.counts[state], count))}
        </span>
        <StatusBadge status={reviewStatuses[example.review_state]} />
        <span className="quiet">
          Label: <UntrustedText text={labelText(example)} layout="inline" />
          {labelState === 'majority' ? ` (${labelStateWords.majority.toLowerCase()})` : ''}
        </span>
        {example.labels.length > 0 ? (
          <span className="quiet" aria-label="Who labeled what">
            Annotators:{' '}
            <UntrustedText text={example.labels.map(({ annotator, value }) => `${annotator}: ${value}`).join(' · ')} layout="inline" />
          </span>
        ) : null}
      </div>
      <ExampleView key={example.id} example={example} />
      <PageFailure query={query} />
      <ReviewBar dataset={dataset} queue={queue} onEdit={() => setEditing(true)} />
      {editing ? <EditExampleDialog example={example} onClose={() => setEditing(false)} onSave={queue.revise} /> : null}
    </>
  )
}

function ReviewBar({ dataset, queue, onEdit }: { readonly dataset: Dataset; readonly queue: ReviewQueue; readonly onEdit: () => void }) {
  const { example, busy, lastUndoable } = queue
  if (!example) return null
  const blocked = (decision: 'approve' | 'reject') =>
    busy
      ? 'The last change is being saved.'
      : allows(exampleMachine, example.review_state, decision)
        ? null
        : `This example is already ${reviewStatuses[example.review_state].word.toLowerCase()}. Undo or edit it to review it again.`
  return (
    <section className="review-bar" aria-label="Review">
      <Button variant="default" rightSection={<kbd>K</kbd>} onClick={queue.previous}>
        Previous
      </Button>
      <Button variant="default" rightSection={<kbd>J</kbd>} onClick={queue.next}>
        Next
      </Button>
      <ReasonedButton blocked={blocked('approve')} rightSection={<kbd>A</kbd>} onClick={() => void queue.decide('approve')}>
        Approve example
      </ReasonedButton>
      <ReasonedButton variant="default" blocked={blocked('reject')} rightSection={<kbd>R</kbd>} onClick={() => void queue.decide('reject')}>
        Reject example
      </ReasonedButton>
      <Button variant="default" rightSection={<kbd>E</kbd>} onClick={onEdit}>
        Edit
      </Button>
      <div className="row">
        <span className="quiet">{dataset.task === 'answer' ? 'The answer:' : 'Label:'}</span>
        <Labels dataset={dataset} queue={queue} />
      </div>
      <ReasonedButton
        variant="subtle"
        blocked={busy ? 'The last change is being saved.' : lastUndoable === null ? 'Nothing to undo on this page.' : null}
        rightSection={<kbd>U</kbd>}
        onClick={() => void queue.undo()}
      >
        {lastUndoable ? `Undo ${lastUndoable.what}` : 'Undo'}
      </ReasonedButton>
    </section>
  )
}

function Labels({ dataset: { labels, score_range: range }, queue }: { readonly dataset: Dataset; readonly queue: ReviewQueue }) {
  const [score, setScore] = useState<number | string>('')
  if (labels) {
    return labels.map((label, i) => (
      <Button
        key={label}
        variant={queue.example?.label === label ? 'light' : 'default'}
        aria-pressed={queue.example?.label === label}
        disabled={queue.busy}
        {...(i < 9 ? { rightSection: <kbd>{i + 1}</kbd> } : {})}
        onClick={() => void queue.label(label)}
      >
        <UntrustedText text={label} layout="inline" />
      </Button>
    ))
  }
  if (!range) return null
  return (
    <form
      className="row"
      onSubmit={event => {
        event.preventDefault()
        if (typeof score === 'number') void queue.label(score)
      }}
    >
      <NumberInput
        aria-label={`Score, ${range[0]} to ${range[1]}`}
        w={96}
        min={range[0]}
        max={range[1]}
        value={score}
        onChange={setScore}
      />
      <ReasonedButton type="submit" variant="default" blocked={typeof score === 'number' ? null : 'Enter a score.'} loading={queue.busy}>
        Score
      </ReasonedButton>
    </form>
  )
}
