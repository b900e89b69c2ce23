import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Calibration, CalibrationItem } from '../../contract/evaluators/calibrations.schemas.ts'
import { allItems } from '../api/pages.ts'
import { WithoutReasoning } from '../samples/reasoning.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { PageFailure } from '../ui/table/load-more.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { allDisagreements } from './confusion-matrix.tsx'
import { exampleQuery, type ItemFilter, itemsQuery, useSendToReview } from './evaluators.queries.ts'

interface DisagreementReaderProps {
  readonly calibration: Calibration
  readonly filter: ItemFilter
  readonly place: number
  readonly onPlace: (place: number) => void
}

/** One example at a time: what people said, what the evaluator said, and why. J and K walk through them. */
export function DisagreementReader({ calibration, filter, place, onPlace }: DisagreementReaderProps) {
  const query = useInfiniteQuery(itemsQuery(calibration.id, filter))
  const items = allItems(query.data)
  const at = Math.min(place, Math.max(0, items.length - 1))
  const item = items[at]
  if (query.isError && items.length === 0)
    return <ErrorState error={query.error} title="Couldn’t load the examples" onRetry={() => void query.refetch()} />
  if (query.isPending) return <LinesSkeleton />
  if (!item)
    return filter === allDisagreements ? (
      <EmptyState title="No disagreements">The evaluator agrees with people on every labeled example.</EmptyState>
    ) : (
      <EmptyState title="No examples in this cell" />
    )
  const move = (to: number): void => {
    if (to < 0) return
    if (to >= items.length - 1 && query.hasNextPage) void query.fetchNextPage()
    if (to < items.length) onPlace(to)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys walk through the examples
    <section
      className="evaluators-reader"
      aria-label="Examples"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it takes keys
      tabIndex={0}
      onKeyDown={event => {
        if (event.key === 'j') move(at + 1)
        if (event.key === 'k') move(at - 1)
      }}
    >
      <div className="row" style={{ justifyContent: 'space-between' }}>
        <span className="num quiet">
          {at + 1} of {items.length}
          {query.hasNextPage ? '+' : ''}
        </span>
        <div className="row">
          <Button variant="default" disabled={at === 0} onClick={() => move(at - 1)}>
            Previous
          </Button>
          <Button variant="default" disabled={at === items.length - 1 && !query.hasNextPage} onClick={() => move(at + 1)}>
            Next
          </Button>
        </div>
      </div>
      <PageFailure query={query} />
      <Item key={item.example_id} calibration={calibration} item={item} />
    </section>
  )
}

function Item({ calibration, item }: { readonly calibration: Calibration; readonly item: CalibrationItem }) {
  const example = useQuery(exampleQuery(calibration.dataset_id, item.example_id, item.revision))
  const review = useSendToReview(calibration.dataset_id)
  const send = () =>
    review.mutate(
      {
        exampleId: item.example_id,
        revision: item.revision,
        note: `Calibration ${calibration.id}: labeled ${item.label ?? 'nothing'}, judged ${item.verdict ?? 'unscored'}.`,
      },
      { onSuccess: () => notifyDone('Sent back to review.'), onError: error => notifyFailed('Couldn’t send the example to review', error) },
    )
  return (
    <div className="evaluators-columns">
      <div className="evaluators-card">
        {example.isError ? (
          <ErrorState error={example.error} title="Couldn’t load the example" onRetry={() => void example.refetch()} />
        ) : null}
        {example.data ? (
          <>
            <strong>Input</strong>
            <UntrustedText text={textOf(example.data.input)} layout="block" />
            {outputsOf(example.data.output).map(([name, text]) => (
              <div key={name}>
                <strong>{name}</strong>
                <WithoutReasoning text={text}>{answer => <UntrustedText text={answer} layout="block" />}</WithoutReasoning>
              </div>
            ))}
            {example.data.expected === null ? null : (
              <div>
                <strong>Expected</strong>
                <UntrustedText text={textOf(example.data.expected)} layout="block" />
              </div>
            )}
          </>
        ) : (
          <LinesSkeleton lines={4} />
        )}
      </div>
      <div className="evaluators-card">
        <div className="row" style={{ gap: 24 }}>
          <div>
            <div className="quiet small">People’s label</div>
            <StatusBadge status={{ word: item.label ?? 'none', tone: 'human' }} />
          </div>
          <div>
            <div className="quiet small">Verdict</div>
            <StatusBadge
              status={{ word: item.verdict ?? 'unscored', tone: item.verdict === null ? 'neutral' : item.agrees ? 'pass' : 'fail' }}
            />
          </div>
          {item.flips > 0 ? (
            <div>
              <div className="quiet small">Order</div>
              <StatusBadge status={{ word: 'Verdict changed with the order', tone: 'warn' }} />
            </div>
          ) : null}
        </div>
        <strong>Reason</strong>
        <UntrustedText text={item.explanation} layout="block" />
        {item.votes.length > 1 ? (
          <ul style={{ margin: 0 }}>
            {item.votes.map(({ judge, vote, verdict, reason }) => (
              <li key={`${judge}-${vote}-${reason.slice(0, 20)}`}>
                Judge {judge + 1}, vote {vote + 1}: <UntrustedText text={verdict ?? 'no verdict'} layout="inline" />
              </li>
            ))}
          </ul>
        ) : null}
        <div>
          <Button variant="default" loading={review.isPending} onClick={send}>
            Send back to review
          </Button>
        </div>
      </div>
    </div>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function outputsOf(output: string | { readonly a: string; readonly b: string } | null): readonly (readonly [string, string])[] {
  if (output === null) return [['Output', 'none']]
  return typeof output === 'string'
    ? [['Output', output]]
    : [
        ['Output A', output.a],
        ['Output B', output.b],
      ]
}
