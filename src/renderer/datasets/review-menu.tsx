import { Button, Group, Menu, Modal, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Api } from '../../contract/api.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { exampleMachine } from '../../contract/datasets/example.machine.ts'
import { type Example, mostReviewsAtOnce, type ReviewState, type StoredReviews } from '../../contract/datasets/examples.schemas.ts'
import type { Request } from '../../contract/endpoint.ts'
import { allows } from '../../contract/machine.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { textField } from '../ui/forms/fields.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { IconChevronDown } from '../ui/pictures/icons.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { datasetQuery, type ExampleFilters } from './datasets.queries.ts'

type Decision = 'approve' | 'reject' | 'submit'

const words: Readonly<Record<Decision, { readonly verb: string; readonly done: string; readonly state: ReviewState }>> = {
  approve: { verb: 'Approve', done: 'Approved', state: 'approved' },
  reject: { verb: 'Reject', done: 'Rejected', state: 'rejected' },
  submit: { verb: 'Send to review', done: 'Sent to review', state: 'in_review' },
}
const decisions = ['approve', 'reject', 'submit'] as const
interface ReviewMenuProps {
  readonly dataset: Dataset
  readonly filters: ExampleFilters
  readonly filtered: boolean
  /** The ticked examples that are loaded. */
  readonly chosen: readonly Example[]
  readonly onDone: () => void
}

/** One decision for many examples: the ticked ones, or all that match the filters. */
export function ReviewMenu({ dataset, filters, filtered, chosen, onDone }: ReviewMenuProps) {
  const [decision, setDecision] = useState<Decision | null>(null)
  const what =
    chosen.length > 0
      ? chosen.length === 1
        ? '1 selected example'
        : `${formatCount(chosen.length)} selected examples`
      : filtered
        ? 'all examples matching the filters'
        : `all ${formatCount(dataset.counts.draft + dataset.counts.in_review)} open examples`
  return (
    <>
      <Menu width={260}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            {chosen.length === 0 ? 'Review' : `Review (${formatCount(chosen.length)} selected)`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {decisions.map(one => (
            <Menu.Item key={one} onClick={() => setDecision(one)}>
              {words[one].verb} {what}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {decision === null ? null : (
        <ReviewDialog
          dataset={dataset}
          decision={decision}
          what={what}
          target={chosen.length > 0 ? { examples: chosen } : { filter: filters }}
          onClose={() => setDecision(null)}
          onDone={onDone}
        />
      )}
    </>
  )
}

/** Milliseconds between looks at how far a review is. */
const lookMs = 500

type Reviews = NonNullable<Request<Api['reviewExamples']>['body']>

interface ReviewDialogProps extends Pick<ReviewMenuProps, 'dataset' | 'onDone'> {
  readonly decision: Decision
  readonly what: string
  readonly target: { readonly examples: readonly Example[] } | { readonly filter: ExampleFilters }
  readonly onClose: () => void
}

function ReviewDialog({ dataset, decision, what, target, onClose, onDone }: ReviewDialogProps) {
  const client = useQueryClient()
  const [note, setNote] = useState('')
  const { verb, done, state } = words[decision]
  const stopping = useRef(new AbortController())
  // What is reviewed already is in the counts of the dataset.
  const [before, setBefore] = useState(0)
  const send = (body: Reviews) => call('reviewExamples', { params: { dataset_id: dataset.id }, body }, { signal: stopping.current.signal })
  // Looked at again whenever the dialog opens.
  const counted = useQuery({
    queryKey: ['datasets', 'reviews', dataset.id, decision, 'filter' in target ? target : openOf(target.examples, decision)],
    queryFn: () =>
      'filter' in target ? send({ decision, filter: { ...target.filter }, dry_run: true }) : countOf(target.examples, decision),
    staleTime: 0,
    gcTime: 0,
  })
  const review = useMutation({
    onMutate: () => setBefore(dataset.counts[state]),
    mutationFn: async () => {
      const more = note.trim() === '' ? {} : { note: note.trim() }
      if ('filter' in target) return send({ decision, filter: { ...target.filter }, expected: counted.data?.matched ?? 0, ...more })
      const open = openOf(target.examples, decision)
      const stored: Pick<StoredReviews, 'reviewed' | 'refused' | 'ties'> = { reviewed: 0, refused: [], ties: 0 }
      for (let from = 0; from < open.length; from += mostReviewsAtOnce) {
        const part = await send({ decision, examples: open.slice(from, from + mostReviewsAtOnce), ...more })
        stored.reviewed += part.reviewed
        stored.refused.push(...part.refused)
      }
      return stored
    },
    onSuccess: ({ reviewed, refused, ties }) => {
      const left = ties === 0 ? '' : `. Left open: ${formatCount(ties)} with tied annotators`
      notifyDone(`${done}: ${formatCount(reviewed)}${refused.length > 0 ? `. Not possible: ${formatCount(refused.length)}` : ''}${left}.`)
      onDone()
      onClose()
    },
    onError: () => {
      if (stopping.current.signal.aborted) notifyDone('Stopped. Reviews stored by then are kept.')
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['datasets'] }),
  })
  const { data: live } = useQuery({ ...datasetQuery(dataset.id), enabled: review.isPending, refetchInterval: review.isPending && lookMs })
  const reviewed = (live ?? dataset).counts[state] - before
  const end = (): void => {
    stopping.current.abort()
    onClose()
  }
  return (
    <Modal opened onClose={end} title={`${verb} ${what}`}>
      <div className="stack">
        {counted.data ? <Counted {...counted.data} /> : null}
        <p className="quiet">Each review is kept in the example’s history.</p>
        <Textarea label="Note" description="Optional" autosize minRows={2} {...textField(note, setNote)} />
        {counted.isError ? <ErrorState error={counted.error} title="Couldn’t count the examples" /> : null}
        {review.isError ? <ErrorState error={review.error} title="The reviews were not stored" /> : null}
        <Group justify="flex-end">
          {review.isPending ? (
            <output className="quiet num">
              {done}: {formatCount(Math.max(0, reviewed))} of {formatCount(counted.data?.reviewed ?? 0)}
            </output>
          ) : null}
          <Button variant="default" onClick={end}>
            {review.isPending ? 'Stop' : 'Cancel'}
          </Button>
          <Button loading={review.isPending || counted.isPending} disabled={!counted.data?.reviewed} onClick={() => review.mutate()}>
            {verb} {counted.data ? formatCount(counted.data.reviewed) : ''}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

type Counts = Pick<StoredReviews, 'matched' | 'reviewed' | 'ties'>

/** What becomes of the examples that match. */
function Counted({ matched, reviewed, ties }: Counts) {
  const skipped = matched - reviewed - ties
  return (
    <p aria-live="polite" className="num">
      {formatCount(reviewed)} of {formatCount(matched)} {matched === 1 ? 'example' : 'examples'}
      {skipped === 0 ? '' : `; ${formatCount(skipped)} skipped because of their state`}
      {ties === 0 ? '' : `; ${formatCount(ties)} with tied annotators ${ties === 1 ? 'stays' : 'stay'} open`}.
    </p>
  )
}

const allowed = (examples: readonly Example[], decision: Decision) =>
  examples.filter(({ review_state: state }) => allows(exampleMachine, state, decision))

/** Whether annotators who disagree are right is read one by one. */
function openOf(examples: readonly Example[], decision: Decision) {
  return allowed(examples, decision)
    .filter(({ label_state: state }) => decision !== 'approve' || state !== 'tie')
    .map(({ id, revision }) => ({ example_id: id, revision }))
}

function countOf(examples: readonly Example[], decision: Decision): Counts {
  const reviewed = openOf(examples, decision).length
  return { matched: examples.length, reviewed, ties: allowed(examples, decision).length - reviewed }
}
