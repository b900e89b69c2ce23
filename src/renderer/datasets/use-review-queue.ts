import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Example, NewRevision, ReviewState } from '../../contract/datasets/examples.schemas.ts'
import { allItems, isPageDue } from '../api/pages.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { exampleActions, useExamplesToReview } from './datasets.queries.ts'

/** How far before the end of what is loaded the next page is loaded. */
const loadAhead = 10

interface Undoable {
  readonly index: number
  /** For the button: "Undo approve". */
  readonly what: string
  readonly undo: (example: Example) => Promise<Example>
}

/**
 * Examples of one review state, walked in order. What is decided stays in its place with its new state, so that one can go back to it;
 * the list is read again when the page is left.
 */
export function useReviewQueue(datasetId: string, state: ReviewState, reviewer: string) {
  const client = useQueryClient()
  const query = useExamplesToReview(datasetId, state)
  const [index, setIndex] = useState(0)
  const [changed, setChanged] = useState<ReadonlyMap<string, Example>>(new Map())
  const [undoable, setUndoable] = useState<readonly Undoable[]>([])
  const [busy, setBusy] = useState(false)
  const actions = exampleActions(datasetId)
  const loaded = allItems(query.data)
  const at = loaded[index]
  const example = at ? (changed.get(at.id) ?? at) : null

  useEffect(() => () => void client.invalidateQueries({ queryKey: ['datasets'] }), [client])
  const { fetchNextPage } = query
  const due = isPageDue(query) && index >= loaded.length - loadAhead
  useEffect(() => {
    if (due) void fetchNextPage()
  }, [due, fetchNextPage])

  const go = (to: number): void => setIndex(Math.max(0, Math.min(loaded.length - 1, to)))
  const change = async (failure: string, work: () => Promise<Example>): Promise<boolean> => {
    if (busy) return false
    setBusy(true)
    try {
      const after = await work()
      setChanged(before => new Map(before).set(after.id, after))
      return true
    } catch (error) {
      notifyFailed(failure, error)
      return false
    } finally {
      setBusy(false)
    }
  }
  const remember = (what: string, undo: Undoable['undo']): void => setUndoable(before => [...before, { index, what, undo }])

  return {
    query,
    example,
    index,
    count: loaded.length,
    busy,
    lastUndoable: undoable.at(-1) ?? null,
    next: () => go(index + 1),
    previous: () => go(index - 1),
    decide: async (decision: 'approve' | 'reject'): Promise<void> => {
      if (!example || !(await change('The review was not stored', () => actions.review(example, decision)))) return
      const before = example.review_state === 'draft' ? 'reopen' : 'submit'
      remember(decision, of => actions.review(of, before))
      go(index + 1)
    },
    label: async (value: string | number): Promise<void> => {
      if (!example) return
      const before = example.labels.find(one => one.by === 'person' && one.annotator === reviewer)?.value ?? null
      if (await change('The label was not stored', () => actions.label(example, value))) remember('label', of => actions.label(of, before))
    },
    revise: (changes: Omit<NewRevision, 'base_revision'>): Promise<boolean> =>
      example ? change('The revision was not stored', () => actions.revise(example, changes)) : Promise.resolve(false),
    undo: async (): Promise<void> => {
      const last = undoable.at(-1)
      const row = last && loaded[last.index]
      if (!row || !(await change('It could not be undone', () => last.undo(changed.get(row.id) ?? row)))) return
      setUndoable(before => before.slice(0, -1))
      setIndex(last.index)
    },
  }
}

export type ReviewQueue = ReturnType<typeof useReviewQueue>
