import { setImmediate as nextTurn } from 'node:timers/promises'
import { exampleMachine } from '../../contract/datasets/example.machine.ts'
import type { Example, NewReviews, StoredReviews } from '../../contract/datasets/examples.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import { transition } from '../../storage/transition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type Actor, byActor } from './actor.ts'
import { type DatasetRow, touchDataset } from './datasets.store.ts'
import { type ExampleRow, touchExample } from './examples.store.ts'
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
}

/** Decisions of reviewers, each kept as a verification record of the revision. */
export function createReviews({ db, ids, clock }: Pick<Kernel, 'db' | 'ids' | 'clock'>, { writable, current, read }: Lookups) {
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

    /** Each on its own, some at a time. */
    reviewMany: async (
      actor: Actor,
      workspaceId: string,
      datasetId: string,
      { examples, ...decision }: NewReviews,
    ): Promise<StoredReviews> => {
      requireReviewer(actor, decision.decision)
      writable(workspaceId, datasetId)
      const refused: StoredReviews['refused'] = []
      for (let from = 0; from < examples.length; from += reviewedAtOnce) {
        if (from > 0) await nextTurn()
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
      }
      return { reviewed: examples.length - refused.length, refused }
    },
  }
}

/** @throws ApiError human_approval_required */
function requireReviewer(actor: Actor, decision: Review['decision']): void {
  if (decision === 'approve' && actor.kind !== 'person')
    throw new ApiError('human_approval_required', 'Only a signed-in person may approve an example. Submit it for review instead.')
}
