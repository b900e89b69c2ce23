import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { ApiError, invalidField, notFound } from '../../contract/errors.ts'
import { calibrationMachine } from '../../contract/evaluators/calibration.machine.ts'
import {
  type Calibration,
  type CalibrationChanges,
  type CalibrationQuote,
  NewCalibration,
} from '../../contract/evaluators/calibrations.schemas.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { predictLabel } from '../../engine/grading/calibration/predict-label.ts'
import { readJudgedPairs } from '../../storage/reads/judged-pairs.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Datasets } from '../datasets/index.ts'
import type { JobContext, Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import {
  type CalibrationRow,
  type CalibrationsQuery,
  evaluatedPositions,
  findCalibration,
  insertCalibration,
  insertItems,
  type ItemsQuery,
  listCalibrations,
  listItems,
  settledItems,
  settleVerdicts,
  storeFigures,
  storeRequest,
  toCalibration,
} from './calibrations.store.ts'
import { exampleItem } from './evaluated-item.ts'
import type { EvaluatorRecords } from './evaluators.service.ts'
import { evaluationJob } from './evaluation-job.ts'
import { judgeOwner, openBudget, spentBy } from './judge-budgets.store.ts'
import { judgeFamilies } from './judge-families.ts'
import { holdUnder, readyJudges, sharedCap } from './judge-cap.ts'
import { labelMenu } from './label-menu.ts'
import { quoteCalibration } from './quote-calibration.ts'
import { batchSize, type EvaluationDependencies, openEvaluation } from './open-evaluation.ts'

const column = { table: 'calibrations', column: 'status' } as const
const Input = z.strictObject({ calibration_id: z.string() })
type Input = z.infer<typeof Input>

/** Verdicts that are settled, and recorded on their examples, in one transaction. */
const settledAtOnce = 250
/** Examples read between two looks at other requests while a quote is made. */
const quotedAtOnce = 250

export interface CalibrationsDependencies extends EvaluationDependencies {
  readonly records: EvaluatorRecords
  readonly datasets: Datasets
  readonly jobs: Jobs
  readonly workers: Pick<Workers, 'score' | 'readVerdict' | 'calibrate'>
}

export type Calibrations = ReturnType<typeof createCalibrations>

export function createCalibrations(kernel: Kernel, dependencies: CalibrationsDependencies) {
  const { db, ids, clock } = kernel
  const { records, datasets, jobs, workers, connections } = dependencies

  const rowOf = (workspaceId: string, id: string): CalibrationRow => {
    const row = findCalibration(db, id)
    if (row?.workspace_id !== workspaceId) throw notFound('calibration', id)
    return row
  }
  const ownerOf = (row: Pick<CalibrationRow, 'id' | 'workspace_id'>, owner: JobOwner) => judgeOwner('calibration', row, owner)
  const capOf = (request: NewCalibration): bigint | null =>
    request.max_charge_microusd === undefined ? null : BigInt(request.max_charge_microusd)

  const evaluateAll = async (job: JobContext<Input>, row: CalibrationRow) => {
    const request = NewCalibration.parse(JSON.parse(row.request))
    const tree = records.tree(row.workspace_id, row.evaluator_version_id)
    const menu = labelMenu(datasets.versions.read(row.workspace_id, row.dataset_version_id))
    const owner = ownerOf(row, job.owner)
    const cap = sharedCap(capOf(request), spentBy(db, owner))
    const evaluation = await openEvaluation(kernel, dependencies, tree, { owner, spendingOf: () => cap, signal: job.signal })
    try {
      const before = evaluatedPositions(db, row.no)
      let position = 0
      let done = before.size
      for (const examples of datasets.versions.eachExample(row.workspace_id, row.dataset_version_id, batchSize(tree))) {
        const open = examples.map((example, i) => ({ example, position: position + i })).filter(entry => !before.has(entry.position))
        position += examples.length
        if (open.length === 0) continue
        const evaluated = await evaluation.evaluate(open.map(({ example }) => exampleItem(example)))
        const items = open.flatMap((entry, i) => {
          const one = evaluated[i]
          return one
            ? [{ position: entry.position, ...labelOf(entry.example), prediction: predictLabel(one.score, menu), evaluated: one }]
            : []
        })
        job.commit(() => insertItems(db, row.no, items))
        done += items.length
        job.progress({ done, total: row.total })
        await nextTurn()
      }
      const { seed, holdout, level, minimum } = request
      const grader = { id: row.id, name: `${row.name}, version ${row.version}`, evaluatorVersionId: row.evaluator_version_id }
      const figures = await workers.calibrate({
        calibrationNo: row.no,
        menu,
        settings: { seed, holdout, level, minimum, judgeFamilies: judgeFamilies(connections, row.workspace_id, tree) },
      })
      for (let from = 0; from < position; from += settledAtOnce) {
        const to = from + settledAtOnce - 1
        job.commit(() => {
          settleVerdicts(db, row.no, menu, figures.threshold?.value ?? null, from, to)
          datasets.examples.recordAgreement(row.workspace_id, row.dataset_id, grader, settledItems(db, row.no, from, to))
        })
        await nextTurn()
      }
      return figures
    } finally {
      await evaluation.close()
    }
  }

  const holdOf = (workspaceId: string, evaluatorVersionId: string, request: NewCalibration) =>
    holdUnder(readyJudges(connections, workspaceId, records.tree(workspaceId, evaluatorVersionId)), capOf(request))

  jobs.register(
    evaluationJob(kernel, dependencies, {
      kind: 'calibration',
      input: Input,
      payer: 'calibration',
      table: 'calibrations',
      idOf: ({ calibration_id: id }) => id,
      find: id => findCalibration(db, id),
      isQueued: ({ status }) => status === 'pending',
      step: (id, event, now, note) => transition(db, calibrationMachine, column, id, event, now, note),
      execute: async (job, row) => {
        const figures = await evaluateAll(job, row)
        return now => {
          storeFigures(db, row.no, figures, now)
          transition(db, calibrationMachine, column, row.id, 'resolve', now)
        }
      },
      hold: row => holdOf(row.workspace_id, row.evaluator_version_id, NewCalibration.parse(JSON.parse(row.request))),
    }),
  )

  const read = (workspaceId: string, id: string): Calibration => toCalibration(db, rowOf(workspaceId, id))
  return {
    read,
    list: (workspaceId: string, query: CalibrationsQuery) => listCalibrations(db, workspaceId, query),
    /** What a pairwise evaluator decided of the pairs of its calibration. @throws ApiError where it has no verdicts of pairs */
    pairs: (workspaceId: string, id: string, loc: readonly (string | number)[]) => {
      const row = findCalibration(db, id)
      if (row?.workspace_id !== workspaceId) throw invalidField(loc, `there is no calibration "${id}" in this workspace`)
      if (row.status !== 'resolved') throw invalidField(loc, `the calibration is ${row.status}; wait until it is resolved`)
      if (datasets.versions.read(workspaceId, row.dataset_version_id).task !== 'pairwise')
        throw invalidField(loc, `the calibration of "${row.name}" is over single outputs; choose one of a pairwise dataset`)
      return { calibration: toCalibration(db, row), pairs: readJudgedPairs(db, row.no) }
    },
    items: (workspaceId: string, id: string, query: ItemsQuery) => listItems(db, rowOf(workspaceId, id), query),
    /** @throws ApiError illegal_transition while it may still run or has its figures; validation_error below what was spent */
    change: (workspaceId: string, id: string, { max_charge_microusd: limit }: CalibrationChanges): Calibration =>
      db.transaction(() => {
        const row = rowOf(workspaceId, id)
        if (row.status !== 'failed')
          throw new ApiError('illegal_transition', `The calibration is ${row.status}; only the limit of a failed one can be changed.`)
        const { charged, billed } = spentBy(db, { kind: 'calibration', id: row.id })
        if (BigInt(limit) < charged + billed)
          throw invalidField(
            ['body', 'max_charge_microusd'],
            `is ${limit}, but its calls have already cost ${charged + billed}. Give a higher limit.`,
          )
        storeRequest(db, row.id, { ...NewCalibration.parse(JSON.parse(row.request)), max_charge_microusd: limit })
        return read(workspaceId, id)
      }),
    quote: (
      workspaceId: string,
      { evaluator_version_id, dataset_version_id }: Pick<NewCalibration, 'evaluator_version_id' | 'dataset_version_id'>,
    ): Promise<CalibrationQuote> => {
      const version = datasets.versions.read(workspaceId, dataset_version_id)
      const tree = records.tree(workspaceId, records.read(workspaceId, evaluator_version_id).id)
      const examples = datasets.versions.eachExample(workspaceId, version.id, quotedAtOnce)
      return quoteCalibration(connections, workspaceId, tree, examples)
    },
    create: (workspaceId: string, owner: JobOwner, request: NewCalibration): Calibration => {
      const snapshot = records.read(workspaceId, request.evaluator_version_id)
      const version = datasets.versions.read(workspaceId, request.dataset_version_id)
      const hold = holdOf(workspaceId, snapshot.id, request)
      return db.transaction(() => {
        const id = ids.next()
        openBudget(db, ownerOf({ id, workspace_id: workspaceId }, owner), hold, timestamp(clock))
        const jobId = jobs.enqueue('calibration', {
          workspaceId,
          owner,
          input: { calibration_id: id },
          subject: { type: 'calibration', id },
        })
        insertCalibration(db, {
          id,
          workspaceId,
          jobId,
          evaluatorId: snapshot.evaluator_id,
          request,
          total: version.example_count,
          createdAt: timestamp(clock),
        })
        return read(workspaceId, id)
      })
    },
  }
}

function labelOf({ example_id, revision, label, label_by }: FrozenExample) {
  return {
    exampleId: example_id,
    revision,
    label: label === null ? null : String(label),
    byPeople: label !== null && label_by === 'person',
  }
}
