import { setImmediate as nextTurn } from 'node:timers/promises'
import { exampleMachine } from '../../contract/datasets/example.machine.ts'
import type { Example, ExampleFilter, NewReviews, StoredReviews } from '../../contract/datasets/examples.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import { allows } from '../../contract/machine.ts'
import { transition } from '../../storage/transition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type Actor, byActor } from './actor.ts'
import { type DatasetRow, touchDataset } from './datasets.store.ts'
import { type ExampleRow, touchExample } from './examples.store.ts'
import { matchingExamples } from './list-examples.store.ts'
import { insertVerification } from './verifications.store.ts'

export const reviewColumn = { table: 'dataset_examples', column: 'review_state' } as const

export interface Review {
  readonly revision: number
  readonly decision: 'submit' | 'approve' | 'reject' | 'reopen'
  readonly note?: string | null | undefined
}

/** Reviews stored between two looks at other requests. */
const reviewedAtOnce = 50

/** How examples are found, as everything else that is done to them finds them. */
interface Lookups {
  writable(workspaceId: string, datasetId: string): DatasetRow
  current(of: DatasetRow, id: string, revision: number): ExampleRow
  read(of: DatasetRow, id: string): Example
  /** Numbers of the examples with the filter's exact text; null where it has none. */
  findExact(of: DatasetRow, filter: ExampleFilter, signal: AbortSignal): Promise<readonly number[] | null>
}

/** Decisions of reviewers, each kept as a verification record of the revision. */
export function createReviews({ db, ids, clock }: Pick<Kernel, 'db' | 'ids' | 'clock'>, { writable, current, read, findExact }: Lookups) {
  const reviewOne = (of: DatasetRow, actor: Actor, id: string, { revision, decision, note = null }: Review, now: string): void => {
    const row = current(of, id, revision)
    const { to } = transition(db, exampleMachine, reviewColumn, row.id, decision, now, note)
    const record = { id: ids.next(), exampleNo: row.no, revision: row.currentRevision, kind: 'human_review' as const }
    insertVerification(db, { ...record, outcome: to, by: byActor(actor), detail: note === null ? {} : { note } }, now)
    touchExample(db, row.no, now)
  }
  return {
    review: (actor: Actor, workspaceId: string, datasetId: string, id: string, review: Review): Example => {
      requireReviewer(actor, review.decision)
      return db.transaction(() => {
        const of = writable(workspaceId, datasetId)
        const now = timestamp(clock)
        reviewOne(of, actor, id, review, now)
        touchDataset(db, of.no, now, false)
        return read(of, id)
      })
    },

    /** Each on its own, some at a time, until the caller is gone. */
    reviewMany: async (
      actor: Actor,
      workspaceId: string,
      datasetId: string,
      { examples: named, filter, expected, dry_run: dry, ...decision }: NewReviews,
      signal: AbortSignal,
    ): Promise<StoredReviews> => {
      requireReviewer(actor, decision.decision)
      const dataset = writable(workspaceId, datasetId)
      const exact = filter === undefined ? null : await findExact(dataset, filter, signal)
      const found = filter === undefined ? null : toReview(matchingExamples(db, dataset, filter, exact), decision.decision)
      const examples = found?.examples ?? named ?? []
      const { matched = examples.length, ties = 0 } = found ?? {}
      if (expected !== undefined && expected !== matched)
        throw new ApiError('conflict', `The filter matches ${matched} examples now, not ${expected}. Look at the list again.`)
      if (dry) return { matched, reviewed: examples.length, ties, refused: [] }
      const refused: StoredReviews['refused'] = []
      let looked = 0
      for (let from = 0; from < examples.length; from += reviewedAtOnce) {
        if (from > 0) await nextTurn()
        if (signal.aborted) break
        db.transaction(() => {
          const of = writable(workspaceId, datasetId)
          const now = timestamp(clock)
          for (const { example_id, revision } of examples.slice(from, from + reviewedAtOnce)) {
            try {
              reviewOne(of, actor, example_id, { ...decision, revision }, now)
            } catch (error) {
              if (!(error instanceof ApiError)) throw error
              refused.push({ example_id, code: error.code, message: error.message })
            }
          }
          touchDataset(db, of.no, now, false)
        })
        looked = Math.min(examples.length, from + reviewedAtOnce)
      }
      return { matched, reviewed: looked - refused.length, ties, refused }
    },
  }
}

/** Those that a decision applies to. Whether annotators who disagree are right is read one by one. */
function toReview(matching: ReturnType<typeof matchingExamples>, decision: Review['decision']) {
  const open = matching.filter(({ review_state: state }) => allows(exampleMachine, state, decision))
  const decided = decision === 'approve' ? open.filter(({ label_state: state }) => state !== 'tie') : open
  const examples = decided.map(({ id, revision }) => ({ example_id: id, revision }))
  return { examples, matched: matching.length, ties: open.length - decided.length }
}

/** @throws ApiError human_approval_required */
function requireReviewer(actor: Actor, decision: Review['decision']): void {
  if (decision === 'approve' && actor.kind !== 'person')
    throw new ApiError('human_approval_required', 'Only a signed-in person may approve an example. Submit it for review instead.')
}
