import { Button, Group, Menu, Modal, Progress, Textarea } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { exampleMachine } from '../../contract/datasets/example.machine.ts'
import type { Example } from '../../contract/datasets/examples.schemas.ts'
import { allows } from '../../contract/machine.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { call } from '../api/client.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { ExampleFilters } from './datasets.queries.ts'

type Decision = 'approve' | 'reject' | 'submit'

const words: Readonly<Record<Decision, { readonly verb: string; readonly done: string }>> = {
  approve: { verb: 'Approve', done: 'Approved' },
  reject: { verb: 'Reject', done: 'Rejected' },
  submit: { verb: 'Send to review', done: 'Sent to review' },
}
const decisions = ['approve', 'reject', 'submit'] as const
/** Examples of one request, and of one page. */
const PAGE = 100

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
          pages={chosen.length > 0 ? onePage(chosen) : matching(dataset.id, filters)}
          onClose={() => setDecision(null)}
          onDone={onDone}
        />
      )}
    </>
  )
}

interface ReviewDialogProps extends Pick<ReviewMenuProps, 'dataset' | 'onDone'> {
  readonly decision: Decision
  readonly what: string
  readonly pages: AsyncIterable<readonly Example[]>
  readonly onClose: () => void
}

function ReviewDialog({ dataset, decision, what, pages, onClose, onDone }: ReviewDialogProps) {
  const client = useQueryClient()
  const stop = useRef(new AbortController())
  const [note, setNote] = useState('')
  const [reviewed, setReviewed] = useState<number | null>(null)
  const [failure, setFailure] = useState<Error | null>(null)
  const { verb, done } = words[decision]
  const run = async (): Promise<void> => {
    let [stored, refused, ties] = [0, 0, 0]
    setFailure(null)
    setReviewed(0)
    try {
      for await (const page of pages) {
        if (stop.current.signal.aborted) break
        // Whether annotators who disagree are right is read one by one.
        const open = page.filter(({ label_state: state }) => decision !== 'approve' || state !== 'tie')
        ties += page.length - open.length
        const examples = open
          .filter(({ review_state: state }) => allows(exampleMachine, state, decision))
          .map(({ id, revision }) => ({ example_id: id, revision }))
        if (examples.length === 0) continue
        const body = { decision, examples, ...(note.trim() === '' ? {} : { note: note.trim() }) }
        const result = await call('reviewExamples', { params: { dataset_id: dataset.id }, body })
        stored += result.reviewed
        refused += result.refused.length
        setReviewed(stored)
      }
      const left = ties === 0 ? '' : `. Left for a person: ${formatCount(ties)} whose annotators tie`
      notifyDone(`${done}: ${formatCount(stored)}${refused > 0 ? `. Not possible: ${formatCount(refused)}` : ''}${left}.`)
      onDone()
      onClose()
    } catch (error) {
      if (error instanceof Error) setFailure(error)
      else notifyFailed('The reviews were not stored', error)
      setReviewed(null)
    }
    await client.invalidateQueries({ queryKey: ['datasets'] })
  }
  const close = (): void => {
    stop.current.abort()
    if (reviewed === null) onClose()
  }
  return (
    <Modal opened onClose={close} title={`${verb} ${what}`}>
      <div className="stack">
        <p className="quiet">
          Examples whose state does not allow it are skipped{decision === 'approve' ? ', and those whose annotators tie are left' : ''}.
          Each review is kept in the example’s history.
        </p>
        <Textarea
          label="Note"
          description="Optional"
          autosize
          minRows={2}
          value={note}
          onChange={event => setNote(event.currentTarget.value)}
        />
        {reviewed === null ? null : (
          <div aria-live="polite">
            <Progress value={dataset.counts.total === 0 ? 0 : (100 * reviewed) / dataset.counts.total} aria-label="Progress" animated />
            <span className="quiet num">{formatCount(reviewed)} reviewed</span>
          </div>
        )}
        {failure ? <ErrorState error={failure} title="The reviews were not all stored" /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {reviewed === null ? 'Cancel' : 'Stop'}
          </Button>
          <Button loading={reviewed !== null} onClick={() => void run()}>
            {verb}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

async function* onePage(examples: readonly Example[]): AsyncIterable<readonly Example[]> {
  for (let from = 0; from < examples.length; from += PAGE) yield examples.slice(from, from + PAGE)
}

/** Every example that the filters keep. Read whole before the first review: a review changes what a filter by state keeps. */
async function* matching(datasetId: string, filters: ExampleFilters): AsyncIterable<readonly Example[]> {
  const pages: (readonly Example[])[] = []
  for (let cursor: string | undefined; ; ) {
    const { items, next_cursor: next } = await call('listExamples', {
      params: { dataset_id: datasetId },
      query: { ...filters, cursor, limit: PAGE },
    })
    pages.push(items.map(example => ({ ...example, input: '', output: null, expected: null, metadata: {} })))
    if (next === null) break
    cursor = next
  }
  yield* pages
}
