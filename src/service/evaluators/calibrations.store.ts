import { z } from 'zod'
import {
  type Calibration,
  CalibrationFigures,
  type CalibrationItem,
  NewCalibration,
} from '../../contract/evaluators/calibrations.schemas.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import type { MeasuredFigures } from '../../engine/grading/calibration/calibrate.ts'
import type { LabelMenu, Prediction } from '../../engine/grading/calibration/predict-label.ts'
import type { Database } from '../../storage/database.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { newestFirst } from '../../storage/newest-first.ts'
import { spendingOf } from './judge-budgets.store.ts'
import type { Evaluated } from './judge-turns.ts'

const noFigures: CalibrationFigures = {
  n: null,
  unscored: null,
  unscored_reasons: [],
  confusion: null,
  agreement: null,
  balanced_accuracy: null,
  kappa: null,
  ac1: null,
  sensitivity: null,
  specificity: null,
  threshold: null,
  position_flip_rate: null,
  self_preference: null,
  corrected_pass_rate: null,
  ppi: null,
  verdict: null,
  reasons: [],
  disagreements: null,
}

export interface NewCalibrationRow {
  readonly id: string
  readonly workspaceId: string
  readonly jobId: string
  readonly evaluatorId: string
  readonly request: NewCalibration
  readonly total: number
  readonly createdAt: string
}

export function insertCalibration(db: Database, row: NewCalibrationRow): void {
  db.run(
    db.sql.insertInto('calibrations').values({
      id: row.id,
      workspace_id: row.workspaceId,
      job_id: row.jobId,
      evaluator_version_id: row.request.evaluator_version_id.toLowerCase(),
      evaluator_id: row.evaluatorId,
      dataset_version_id: row.request.dataset_version_id.toLowerCase(),
      status: 'pending',
      request: JSON.stringify(row.request),
      total: row.total,
      created_at: row.createdAt,
    }),
  )
}

const select = (db: Database) =>
  db.sql
    .selectFrom('calibrations as c')
    .innerJoin('evaluator_versions as v', 'v.id', 'c.evaluator_version_id')
    .innerJoin('dataset_versions as d', 'd.id', 'c.dataset_version_id')
    .innerJoin('datasets as s', 's.no', 'd.dataset_no')
    .selectAll('c')
    .select(['v.name', 'v.version', 's.id as dataset_id'])

export type CalibrationRow = NonNullable<ReturnType<typeof firstRow>>
const firstRow = (db: Database) => db.first(select(db))

export function findCalibration(db: Database, id: string): CalibrationRow | null {
  return db.first(select(db).where('c.id', '=', id.toLowerCase())) ?? null
}

export function toCalibration(db: Database, row: CalibrationRow): Calibration {
  const request = NewCalibration.parse(JSON.parse(row.request))
  return {
    id: row.id,
    status: row.status,
    job_id: row.job_id,
    evaluator_version_id: row.evaluator_version_id,
    evaluator_id: row.evaluator_id,
    evaluator_name: row.name,
    evaluator_version: row.version,
    dataset_version_id: row.dataset_version_id,
    dataset_id: row.dataset_id,
    seed: request.seed,
    holdout: request.holdout,
    level: request.level,
    minimum: request.minimum,
    max_charge_microusd: request.max_charge_microusd ?? null,
    progress: { done: row.done, total: row.total },
    spending: spendingOf(db, { kind: 'calibration', id: row.id }),
    failure: row.failure_code === null ? null : { code: row.failure_code, message: row.failure_message ?? '' },
    ...(row.figures === null ? noFigures : CalibrationFigures.parse(JSON.parse(row.figures))),
    created_at: row.created_at,
    finished_at: row.finished_at,
  }
}

export function storeRequest(db: Database, id: string, request: NewCalibration): void {
  db.run(
    db.sql
      .updateTable('calibrations')
      .set({ request: JSON.stringify(request) })
      .where('id', '=', id),
  )
}

export interface CalibrationsQuery extends PageQuery {
  readonly evaluator_version_id?: string | undefined
  readonly evaluator_id?: string | undefined
  readonly task?: Dataset['task'] | undefined
  readonly status?: Calibration['status'] | undefined
}

export function listCalibrations(
  db: Database,
  workspaceId: string,
  { cursor, limit, evaluator_version_id: versionId, evaluator_id: id, task, status }: CalibrationsQuery,
) {
  let rows = select(db).where('c.workspace_id', '=', workspaceId)
  if (versionId) rows = rows.where('c.evaluator_version_id', '=', versionId.toLowerCase())
  if (task) rows = rows.where('s.task', '=', task)
  if (status) rows = rows.where('c.status', '=', status)
  if (id) rows = rows.where('c.evaluator_id', '=', id.toLowerCase())
  return newestFirst(
    db,
    rows,
    ['c', 'no'],
    { endpoint: 'listCalibrations', filters: { workspaceId, versionId, id, task, status } },
    { cursor, limit },
    row => toCalibration(db, row),
  )
}

/** An example with what became of it. */
export interface EvaluatedExample {
  readonly position: number
  readonly exampleId: string
  readonly revision: number
  readonly label: string | null
  readonly byPeople: boolean
  readonly prediction: Prediction
  readonly evaluated: Evaluated
}

const longestExplanation = 8000

export function insertItems(db: Database, calibrationNo: number, items: readonly EvaluatedExample[]): void {
  const insert = db.prepare(
    `insert into calibration_items (calibration_no, position, example_id, revision, label, by_people, value, prediction, explanation, pairs, flips, votes)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { position, exampleId, revision, label, byPeople, prediction, evaluated } of items)
    insert.run(
      calibrationNo,
      position,
      exampleId,
      revision,
      label,
      byPeople ? 1 : 0,
      evaluated.score.value,
      JSON.stringify(prediction),
      evaluated.score.explanation.slice(0, longestExplanation).toWellFormed(),
      evaluated.swapped.pairs,
      evaluated.swapped.flips,
      JSON.stringify(evaluated.votes.map(({ judge, vote, verdict, reason }) => ({ judge, vote, verdict, reason: reason.slice(0, 2000) }))),
    )
  db.prepare('update calibrations set done = done + ? where no = ?').run(items.length, calibrationNo)
}

const PositionRow = z.object({ position: z.int() })

/** Positions that are evaluated already. */
export function evaluatedPositions(db: Database, calibrationNo: number): Set<number> {
  const rows = db.prepare('select position from calibration_items where calibration_no = ?').all(calibrationNo)
  return new Set(rows.map(row => PositionRow.parse(row).position))
}

/** What each item counts with, a part of them at a time. The same rule as the engine's `verdictUnder`. */
export function settleVerdicts(
  db: Database,
  calibrationNo: number,
  menu: LabelMenu,
  threshold: number | null,
  from: number,
  to: number,
): void {
  const [pass = null, fail = null] = menu.labels
  const value =
    "case json_extract(prediction, '$.kind') when 'value' then json_extract(prediction, '$.value') else json_extract(prediction, '$.label') = ? end"
  const verdict =
    threshold === null
      ? "case json_extract(prediction, '$.kind') when 'label' then json_extract(prediction, '$.label') end"
      : `case when json_extract(prediction, '$.kind') <> 'unscored' then case when ${value} >= ? then ? else ? end end`
  const parameters = threshold === null ? [] : [pass, threshold, pass, fail]
  db.prepare(`update calibration_items set verdict = ${verdict} where calibration_no = ? and position between ? and ?`).run(
    ...parameters,
    calibrationNo,
    from,
    to,
  )
  db.prepare(
    'update calibration_items set agrees = (verdict = label) where calibration_no = ? and position between ? and ? and verdict is not null and label is not null',
  ).run(calibrationNo, from, to)
}

/** Labeled examples whose verdicts are settled, in their order. */
export function settledItems(db: Database, calibrationNo: number, from: number, to: number) {
  return db
    .all(
      db.sql
        .selectFrom('calibration_items')
        .select(['example_id', 'revision', 'label', 'verdict'])
        .where('calibration_no', '=', calibrationNo)
        .where('position', '>=', from)
        .where('position', '<=', to)
        .orderBy('position'),
    )
    .flatMap(({ example_id: exampleId, revision, label, verdict }) => (label === null ? [] : [{ exampleId, revision, label, verdict }]))
}

export function storeFigures(db: Database, calibrationNo: number, figures: MeasuredFigures, now: string): void {
  db.run(
    db.sql
      .updateTable('calibrations')
      .set({ figures: JSON.stringify(CalibrationFigures.parse(figures)), verdict: figures.verdict, finished_at: now })
      .where('no', '=', calibrationNo),
  )
}

export interface ItemsQuery extends PageQuery {
  readonly agrees?: boolean | undefined
  readonly label?: string | undefined
  readonly verdict?: string | undefined
  readonly unscored: boolean
}

const Votes = z.array(z.object({ judge: z.int(), vote: z.int(), verdict: z.string().nullable(), reason: z.string() }))

export function listItems(
  db: Database,
  { no, id }: Pick<CalibrationRow, 'no' | 'id'>,
  { cursor, limit, agrees, label, verdict, unscored }: ItemsQuery,
) {
  const listing: Listing = { endpoint: 'listCalibrationItems', filters: { id, agrees, label, verdict, unscored } }
  let rows = db.sql
    .selectFrom('calibration_items')
    .selectAll()
    .where('calibration_no', '=', no)
    .orderBy('position')
    .limit(limit + 1)
  if (cursor) rows = rows.where('position', '>', Number(decodeCursor(listing, cursor, 1)[0]))
  if (agrees !== undefined) rows = rows.where('agrees', '=', agrees ? 1 : 0)
  if (label !== undefined) rows = rows.where('label', '=', label)
  if (verdict !== undefined) rows = rows.where('verdict', '=', verdict)
  if (unscored) rows = rows.where('verdict', 'is', null)
  return toPage(
    db.all(rows),
    limit,
    listing,
    row => [row.position],
    (row): CalibrationItem => ({
      example_id: row.example_id,
      revision: row.revision,
      label: row.label,
      verdict: row.verdict,
      agrees: row.agrees === null ? null : row.agrees === 1,
      value: row.value,
      explanation: row.explanation,
      flips: row.flips,
      votes: Votes.parse(JSON.parse(row.votes)),
    }),
  )
}
