import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import type { AddedExamples, NewExample } from '../../contract/datasets/examples.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import { checkExample, checkLabel } from '../../engine/content/datasets/check-example.ts'
import { withoutFlush } from '../../storage/without-flush.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Actor } from './actor.ts'
import { type DatasetRow, touchDataset } from './datasets.store.ts'
import type { AddOutcome, ExampleToAdd } from './examples.service.ts'

/** Examples written in one transaction: a few milliseconds' worth. */
const step = 25

type Added = z.infer<typeof AddedExamples>

interface Writing {
  writable(workspaceId: string, datasetId: string): DatasetRow
  /** In the caller's transaction. */
  addAll(of: DatasetRow, actor: Actor, examples: readonly ExampleToAdd[], now: string): AddOutcome[]
}

/** What a client sends: none of it where one does not fit. */
export function createAdding(
  { db, clock, storage }: Pick<Kernel, 'db' | 'clock'> & { readonly storage: Pick<Kernel['storage'], 'note'> },
  { writable, addAll }: Writing,
) {
  const write = (of: DatasetRow, actor: Actor, rows: readonly ExampleToAdd[]): AddOutcome[] =>
    db.transaction(() => {
      const now = timestamp(clock)
      const outcomes = addAll(of, actor, rows, now)
      const labeled = rows.some(({ labels = [] }) => labels.length > 0)
      touchDataset(db, of.no, now, labeled)
      return outcomes
    })
  /** The last transaction is flushed to the disk, and with it all before. */
  const writeInSteps = async (of: DatasetRow, actor: Actor, rows: readonly ExampleToAdd[]): Promise<AddOutcome[]> => {
    const outcomes: AddOutcome[] = []
    try {
      for (let from = 0; from < rows.length; from += step) {
        if (from > 0) await nextTurn()
        const some = rows.slice(from, from + step)
        const isLast = from + step >= rows.length
        outcomes.push(...(isLast ? write(of, actor, some) : withoutFlush(db, () => write(of, actor, some))))
      }
      return outcomes
    } catch (error) {
      const refusal = storage.note(error)
      if (refusal === null || outcomes.length === 0) throw error
      const message = `Storage failed after ${outcomes.length} of ${rows.length} examples. Send the request again when it works; examples that were added are recognized as duplicates.`
      throw new ApiError(refusal.code, message, { headers: refusal.headers })
    }
  }
  return {
    add: (actor: Actor, workspaceId: string, datasetId: string, examples: readonly NewExample[]): Added | Promise<Added> => {
      const of = writable(workspaceId, datasetId)
      const rows = examples.map(
        ({ label, output, expected, input, metadata }): ExampleToAdd => ({
          sourceKey: null,
          content: { input, output: output ?? null, expected: expected ?? null, metadata },
          origin: { kind: 'manual', ref: null },
          labels: label === undefined || label === null ? [] : [{ annotator: actor.name, value: label }],
        }),
      )
      requireFitting(of, rows)
      return rows.length <= step ? describe(write(of, actor, rows)) : writeInSteps(of, actor, rows).then(describe)
    },
  }
}

function describe(outcomes: readonly AddOutcome[]): Added {
  const listed = (wanted: AddOutcome['outcome']) =>
    outcomes.flatMap(({ outcome, exampleId }, index) =>
      outcome === wanted && exampleId !== null ? [{ index, example_id: exampleId }] : [],
    )
  const items = listed('created')
  return { created: items.length, duplicates: listed('duplicate'), items }
}

/** @throws ApiError naming every example that does not fit */
function requireFitting(of: DatasetRow, rows: readonly ExampleToAdd[]): void {
  const detail = rows.flatMap(({ content, labels = [] }, i) => {
    const misfit = checkExample(of, content)
    const faults = misfit ? [{ loc: ['body', 'examples', i, misfit.field], msg: misfit.message, type: 'value_error' }] : []
    for (const { value } of labels) {
      const msg = checkLabel(of, value)
      if (msg) faults.push({ loc: ['body', 'examples', i, 'label'], msg, type: 'value_error' })
    }
    return faults
  })
  const [first] = detail
  if (!first) return
  const more = detail.length > 1 ? ` ${detail.length - 1} more do not fit either.` : ''
  throw new ApiError('validation_error', `${first.loc.join('.')}: ${first.msg}.${more}`, { detail: detail.slice(0, 100) })
}
