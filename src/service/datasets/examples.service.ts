import { exampleMachine } from '../../contract/datasets/example.machine.ts'
import type {
  Example,
  ExampleFilter,
  ExampleOrigin,
  LabelValue,
  NewRevision,
  VerificationHistory,
} from '../../contract/datasets/examples.schemas.ts'
import { ApiError, invalidField, requireFound } from '../../contract/errors.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { type Actor, byActor } from './actor.ts'
import type { Media } from '../media/index.ts'
import { createAdding } from './add-examples.ts'
import { checkExample, checkLabel } from '../../engine/content/datasets/check-example.ts'
import { type DatasetRow, findDataset, touchDataset } from './datasets.store.ts'
import { type ExampleContent, prepareContent, type PreparedContent } from '../../engine/content/datasets/example-content.ts'
import {
  exampleNumbers,
  type ExampleRow,
  findExampleBySource,
  findExampleRow,
  findSame,
  indexExamples,
  insertLabeledExample,
  readContent,
  readExample,
  storeConsensus,
  storeRevision,
  type Unindexed,
} from './examples.store.ts'
import { type ExamplesQuery, exactQuestion, listExamples } from './list-examples.store.ts'
import { findConsensus } from './find-consensus.ts'
import { keepMedia } from './keep-media.ts'
import { labelsOf, removeLabel, storeLabel } from './labels.store.ts'
import { createReviews, reviewColumn } from './review-examples.ts'
import { insertNewVerification, readHistory } from './verifications.store.ts'

/** An example that another part of the service adds. */
export interface ExampleToAdd {
  /** What identifies it where it comes from: the next time it is revised and not added. Null for what has no identity but its content. */
  readonly sourceKey: string | null
  readonly content: ExampleContent
  readonly origin: ExampleOrigin
  readonly labels?: readonly { readonly annotator: string; readonly value: LabelValue; readonly note?: string | null }[]
}

export interface AddOutcome {
  readonly outcome: 'created' | 'revised' | 'unchanged' | 'duplicate' | 'skipped'
  /** Null where it was skipped. */
  readonly exampleId: string | null
  /** Why it was skipped. */
  readonly reason: string | null
}

/** What a calibration says of one example. */
export interface GraderVerdict {
  readonly exampleId: string
  readonly revision: number
  readonly label: string
  /** Null: unscored. */
  readonly verdict: string | null
}

/** The calibration, and the evaluator version that it measures. */
export interface Grader {
  readonly id: string
  readonly name: string
  readonly evaluatorVersionId: string
}

export type Examples = ReturnType<typeof createExamples>

export function createExamples(
  { db, ids, clock, storage }: Pick<Kernel, 'db' | 'ids' | 'clock'> & { readonly storage: Pick<Kernel['storage'], 'note'> },
  workers: Pick<Workers, 'datasets'>,
  media: Pick<Media, 'find' | 'keep'>,
) {
  const findExact = async (of: DatasetRow, filter: ExampleFilter, signal: AbortSignal): Promise<readonly number[] | null> => {
    const question = exactQuestion(of, filter)
    return question && (await workers.datasets({ kind: 'find', ...question }, signal))
  }
  const dataset = (workspaceId: string, id: string): DatasetRow => requireFound(findDataset(db, workspaceId, id), 'dataset', id)
  const writable = (workspaceId: string, id: string): DatasetRow => {
    const found = dataset(workspaceId, id)
    if (found.archived)
      throw new ApiError('illegal_transition', `The dataset "${found.name}" is archived. Restore it to change its examples.`)
    return found
  }
  const read = (of: DatasetRow, id: string, revision?: number): Example => {
    return requireFound(readExample(db, of, id, revision), revision === undefined ? 'example' : `revision ${revision} of example`, id)
  }
  const rowOf = (of: DatasetRow, id: string): ExampleRow => requireFound(findExampleRow(db, of.no, id), 'example', id)
  /** The example, if `revision` is what the client looked at. */
  const current = (of: DatasetRow, id: string, revision: number): ExampleRow => {
    const row = rowOf(of, id)
    if (row.currentRevision !== revision) {
      throw new ApiError(
        'conflict',
        `Revision ${revision} of example "${row.id}" is not the current one, which is ${row.currentRevision}. Read it and try again.`,
      )
    }
    return row
  }
  const revise = (row: ExampleRow, content: PreparedContent, actor: Actor, now: string): Unindexed => {
    const unindexed = storeRevision(db, row, content, byActor(actor), now)
    transition(db, exampleMachine, reviewColumn, row.id, 'revise', now)
    return unindexed
  }
  const reconsider = (of: DatasetRow, row: ExampleRow, now: string): void => {
    const labels = labelsOf(db, [{ no: row.no, revision: row.currentRevision }]).get(row.no) ?? []
    storeConsensus(db, row.no, findConsensus(of.task, labels), now)
  }

  const addOne = (of: DatasetRow, actor: Actor, given: ExampleToAdd, written: Unindexed[], now: string): AddOutcome => {
    const { origin, sourceKey, labels = [] } = given
    const misfit = checkExample(of, given.content)
    if (misfit) return { outcome: 'skipped', exampleId: null, reason: `${misfit.field}: ${misfit.message}` }
    for (const { value } of labels) {
      const fault = checkLabel(of, value)
      if (fault) return { outcome: 'skipped', exampleId: null, reason: `label: ${fault}` }
    }
    const content = prepareContent(given.content)
    const { digest } = content
    keepMedia(media, of, content.json)
    const known = sourceKey === null ? null : findExampleBySource(db, of.no, sourceKey)
    if (known) {
      if (Buffer.compare(known.digest, digest) === 0) return { outcome: 'unchanged', exampleId: known.id, reason: null }
      written.push(revise(known, content, actor, now))
      return { outcome: 'revised', exampleId: known.id, reason: null }
    }
    const same = findSame(db, of.no, digest, null)
    if (same !== null) return { outcome: 'duplicate', exampleId: same, reason: null }
    const id = ids.next()
    const labeled = labels.map(({ annotator, value, note = null }) => ({ annotator, maker: actor.kind, makerId: actor.id, value, note }))
    const row = { id, datasetNo: of.no, importNo: null, sourceKey, content, origin, by: byActor(actor) }
    written.push(insertLabeledExample(db, of.task, row, labeled, now))
    return { outcome: 'created', exampleId: id, reason: null }
  }

  const addAll = (of: DatasetRow, actor: Actor, examples: readonly ExampleToAdd[], now: string): AddOutcome[] => {
    const written: Unindexed[] = []
    const outcomes = examples.map(example => addOne(of, actor, example, written, now))
    indexExamples(db, of.no, written)
    return outcomes
  }

  return {
    dataset,
    writable,
    read: (workspaceId: string, datasetId: string, id: string, revision?: number) => read(dataset(workspaceId, datasetId), id, revision),
    list: async (workspaceId: string, datasetId: string, query: ExamplesQuery, signal: AbortSignal) => {
      const of = dataset(workspaceId, datasetId)
      return listExamples(db, of, query, await findExact(of, query, signal))
    },

    /**
     * Adds examples that another part of the service has read somewhere, in one transaction; joins the caller's. One that its source
     * key knows becomes a new revision when its content changed. What does not fit the dataset is skipped with the reason.
     */
    addFromSource: (actor: Actor, workspaceId: string, datasetId: string, examples: readonly ExampleToAdd[]): AddOutcome[] =>
      db.transaction(() => {
        const of = writable(workspaceId, datasetId)
        const now = timestamp(clock)
        const outcomes = addAll(of, actor, examples, now)
        const labeled = examples.some(({ labels = [] }) => labels.length > 0)
        const revised = outcomes.some(({ outcome }) => outcome === 'revised')
        if (revised || outcomes.some(({ outcome }) => outcome === 'created')) touchDataset(db, of.no, now, labeled || revised)
        return outcomes
      }),

    ...createAdding({ db, clock, storage }, { writable, addAll }),

    revise: (actor: Actor, workspaceId: string, datasetId: string, id: string, revision: NewRevision): Example =>
      db.transaction(() => {
        const of = writable(workspaceId, datasetId)
        const row = current(of, id, revision.base_revision)
        const before = readContent(db, row.no, row.currentRevision)
        if (!before) throw new Error(`The current revision of example ${row.id} is missing.`)
        const content: ExampleContent = {
          input: revision.input ?? before.input,
          output: revision.output === undefined ? before.output : revision.output,
          expected: revision.expected === undefined ? before.expected : revision.expected,
          metadata: revision.metadata ?? before.metadata,
        }
        const misfit = checkExample(of, content)
        if (misfit) throw invalidField(['body', misfit.field], misfit.message)
        const prepared = prepareContent(content)
        if (Buffer.compare(prepared.digest, row.digest) === 0)
          throw invalidField(['body'], `changes nothing: revision ${row.currentRevision} has the same input, output, expected and metadata`)
        const now = timestamp(clock)
        keepMedia(media, of, prepared.json)
        indexExamples(db, of.no, [revise(row, prepared, actor, now)])
        touchDataset(db, of.no, now, true)
        return read(of, id)
      }),

    label: (
      actor: Actor,
      workspaceId: string,
      datasetId: string,
      id: string,
      label: { revision: number; value: LabelValue | null; annotator?: string | undefined; note?: string | null | undefined },
    ): Example =>
      db.transaction(() => {
        const of = writable(workspaceId, datasetId)
        const row = current(of, id, label.revision)
        const annotator = label.annotator ?? actor.name
        const now = timestamp(clock)
        const { value } = label
        if (value === null) {
          if (!removeLabel(db, row.no, row.currentRevision, annotator, actor.kind))
            throw invalidField(['body', 'value'], `there is no label of "${annotator}" on revision ${row.currentRevision} to withdraw`)
        } else {
          const fault = checkLabel(of, value)
          if (fault) throw invalidField(['body', 'value'], fault)
          storeLabel(
            db,
            row.no,
            row.currentRevision,
            { annotator, maker: actor.kind, makerId: actor.id, value, note: label.note ?? null },
            now,
          )
        }
        reconsider(of, row, now)
        touchDataset(db, of.no, now, true)
        return read(of, id)
      }),

    ...createReviews({ db, ids, clock }, { writable, current, read, findExact }),

    history: (workspaceId: string, datasetId: string, id: string): VerificationHistory => {
      const row = rowOf(dataset(workspaceId, datasetId), id)
      return readHistory(db, row.no, row.currentRevision)
    },

    /** Keeps on each example whether a grader agrees with its label. In the caller's transaction; a repetition adds nothing. */
    recordAgreement: (workspaceId: string, datasetId: string, grader: Grader, verdicts: readonly GraderVerdict[]): void => {
      const { no } = dataset(workspaceId, datasetId)
      const by = { kind: 'service' as const, id: grader.id, name: grader.name }
      const now = timestamp(clock)
      const numbers = exampleNumbers(
        db,
        no,
        verdicts.map(({ exampleId }) => exampleId),
      )
      for (const { exampleId, revision, label, verdict } of verdicts) {
        const exampleNo = numbers.get(exampleId)
        if (exampleNo === undefined) continue
        const outcome = verdict === null ? 'unscored' : verdict === label ? 'agrees' : 'disagrees'
        const detail = { calibration_id: grader.id, evaluator_version_id: grader.evaluatorVersionId, label, verdict }
        insertNewVerification(db, { id: ids.next(), exampleNo, revision, kind: 'grader_agreement', outcome, by, detail }, now)
      }
    },
  }
}
