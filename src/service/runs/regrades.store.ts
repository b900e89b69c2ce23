import { holdsNotice } from '../../storage/runs/attempt-notices.ts'
import type { EarlierAnswer } from '../../engine/clients/model-client.ts'
import { readEarlierAnswers } from '../../engine/execution/samples/with-turns.ts'
import { z } from 'zod'
import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'
import { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import { NoVerdictClass, VerdictClass } from '../../contract/runs/score-class.ts'
import type { Score, ScoreInput } from '../../engine/grading/scorers/scorer.ts'
import type { Database } from '../../storage/database.ts'
import { noteEvaluators } from '../../storage/runs/evaluator-uses.store.ts'
import { MeasuredRow, readMeasured } from './measured-answer.ts'
import { createRecordedScores } from './recorded-scores.store.ts'
import { numbersIn } from '../../storage/numbers-in.ts'
import { insertScoreSql } from '../../storage/runs/execution-statements.store.ts'
import { insertScores, shownScore } from '../../storage/runs/score-rows.store.ts'
import { parseCounts } from '../../storage/reads/run-samples.ts'
import { createTranscriptReader, TranscriptPlace } from '../../storage/reads/transcripts.ts'

/** A regrade: the profiles with the metrics to grade by, and the result version that it makes. */
export interface RegradeRow {
  readonly version: number
  readonly profiles: readonly FrozenProfile[]
}

const Profiles = z.array(FrozenProfile)

/** Null where none is in progress. */
export function regradeOf(db: Database, runNo: number): RegradeRow | null {
  const row = db.first(db.sql.selectFrom('regrades').select(['version', 'plan']).where('run_no', '=', runNo).where('dropped', '=', 0))
  return row ? { version: row.version, profiles: Profiles.parse(JSON.parse(row.plan)) } : null
}

/** Result versions that regrades under way make, by the run. */
export function openRegradeVersions(db: Database, runNos: readonly number[]): Map<number, number> {
  const open = db.sql.selectFrom('regrades').select(['run_no', 'version']).where('dropped', '=', 0)
  return new Map(db.all(open.where('run_no', 'in', numbersIn(runNos))).map(({ run_no, version }) => [run_no, version]))
}

export function openRegrades(db: Database): number[] {
  return db.all(db.sql.selectFrom('regrades').select('run_no').where('dropped', '=', 0).orderBy('run_no')).map(row => row.run_no)
}

export function insertRegrade(db: Database, runNo: number, { version, profiles }: RegradeRow, begunAt: string): void {
  const plan = JSON.stringify(profiles)
  db.run(db.sql.insertInto('regrades').values({ run_no: runNo, version, plan, begun_at: begunAt }))
  noteEvaluators(db, { runNo }, plan)
}

/** The run is graded by the new metrics from now on, in the caller's transaction. */
export function endRegrade(db: Database, runNo: number, { profiles }: RegradeRow): void {
  db.run(db.sql.deleteFrom('regrades').where('run_no', '=', runNo))
  db.run(
    db.sql
      .updateTable('runs')
      .set({ regraded_profiles: JSON.stringify(profiles) })
      .where('no', '=', runNo),
  )
}

const Sizes = z.object({
  outputs: z.int(),
  answers: z.int().nullable(),
  input: z.number().nullable(),
  output: z.number().nullable(),
  longest: z.number().nullable(),
})
/** Of an English token. */
const charactersPerToken = 4

/** How much there is to judge: stored answers, and the characters of an input and an output together. */
export function storedSizes(
  db: Database,
  runNo: number,
): { readonly outputs: number; readonly answers: number; readonly usual: number; readonly longest: number } {
  const row = db
    .prepare(
      `select count(*) as outputs, sum(coalesce(t.shape ->> '$.turns', 1)) as answers, avg(input_tokens) as input, avg(output_tokens) as output,
       max(input_tokens + output_tokens) as longest
       from samples s join tasks t on t.no = s.task_no where s.run_no = ? and s.status = 'scored'`,
    )
    .get(runNo)
  const { outputs, answers, input, output, longest } = Sizes.parse(row)
  const usual = Math.ceil(((input ?? 0) + (output ?? 0)) * charactersPerToken)
  return { outputs, answers: answers ?? outputs, usual, longest: Math.max(usual, Math.ceil((longest ?? 0) * charactersPerToken)) }
}

/** Whether every value that a metric ever had is 0 or 1; not of a metric without values. */
export function isAlwaysBinary(
  db: Database,
  runNo: number,
  { profileNo, metricNo }: { readonly profileNo: number; readonly metricNo: number },
): boolean {
  const of = (condition: string) =>
    db
      .prepare(
        `select 1 from scores c join samples s on s.run_no = c.run_no and s.position = c.position
         where c.run_no = ? and c.metric_no = ? and s.profile_no = ? and ${condition} limit 1`,
      )
      .get(runNo, metricNo, profileNo) !== undefined
  return of('c.value is not null') && !of('c.value not in (0, 1)')
}

const scoreRow = {
  metric_no: z.int(),
  answer: z.string().nullable(),
  answer_start: z.int().nullable(),
  answer_end: z.int().nullable(),
  explanation: z.string(),
  counts: z.string().nullable(),
  code: z.string().nullable(),
  label: z.string().nullable(),
}
const StoredScore = z.union([
  z.object({ ...scoreRow, value: z.number(), class: VerdictClass }),
  z.object({ ...scoreRow, value: z.null(), class: NoVerdictClass }),
])

/** The scores that samples had before a version, by position and metric number. */
export function scoresBefore(db: Database, runNo: number, version: number, positions: readonly number[]): Map<number, Map<number, Score>> {
  const statement = db.prepare(
    `select position, metric_no, value, class, answer, answer_start, answer_end, explanation, counts, code, label from scores c where run_no = ? and position = ?
     and version = (select max(version) from scores d where d.run_no = c.run_no and d.position = c.position and d.metric_no = c.metric_no and d.version < ?)`,
  )
  return new Map(
    positions.map(position => [
      position,
      new Map(
        statement.all(runNo, position, version).map(value => {
          const { metric_no: metricNo, answer_start: start, answer_end: end, counts, code, label, ...score } = StoredScore.parse(value)
          const answerSpan = start === null || end === null ? null : { start, end }
          const added = parseCounts(counts)
          const words = code ?? label
          return [metricNo, { ...score, answerSpan, ...(added && { counts: added }), ...(words !== null && { label: words }) }]
        }),
      ),
    ]),
  )
}

const CountRow = z.object({ n: z.int() })

/** Samples that have the new version's scores. */
export function regradedSamples(db: Database, runNo: number, version: number): number {
  const row = db.prepare('select count(*) as n from scores where run_no = ? and metric_no = 0 and version = ?').get(runNo, version)
  return CountRow.parse(row).n
}

/** A stored answer, to be graded again. */
export interface StoredAnswer {
  readonly position: number
  readonly profileNo: number
  readonly taskNo: number
  readonly output: string
  readonly reasoning: string | null
  /** To the scripted turns before it; absent where there was one question. */
  readonly earlierAnswers?: readonly EarlierAnswer[]
  readonly refused: boolean
  readonly holdsFiles: boolean
  /** Scores that were imported with it. */
  readonly recorded: ScoreInput['recorded'] | undefined
  readonly measured: ScoreInput['measured'] | undefined
}

const AnswerRow = TranscriptPlace.extend(MeasuredRow.shape).extend({
  position: z.int(),
  profile_no: z.int(),
  task_no: z.int(),
  refused: z.int(),
  holds_files: z.int(),
})

/** The next scored samples that lack the new version's scores. */
export function createAnswerReader(db: Database, runNo: number, version: number): (limit: number) => StoredAnswer[] {
  const transcripts = createTranscriptReader(db)
  const recordedScores = createRecordedScores(db)
  const answers = db.prepare(
    `select s.position, s.profile_no, s.task_no, a.refused, ${holdsNotice('answer_holds_files')} as holds_files, a.latency_ms, a.charged_microusd + a.billed_microusd as cost, a.bill_unknown, a.run_no, a.transcript, a.block_no, a.block_offset
     from samples s join attempts a on a.run_no = coalesce(s.source_no, s.run_no) and a.position = s.position and a.number = s.attempts
     where s.run_no = ? and s.position > ? and s.status = 'scored'
     and not exists (select 1 from scores c where c.run_no = s.run_no and c.position = s.position and c.metric_no = 0 and c.version = ?)
     order by s.position limit ?`,
  )
  let after = -1
  return limit => {
    const rows = answers.all(runNo, after, version, limit).map(row => AnswerRow.parse(row))
    after = rows.at(-1)?.position ?? after
    return rows.map(row => {
      const { position, profile_no, task_no, refused, holds_files, ...place } = row
      const { output, reasoning = null, answers } = transcripts.read(place) ?? { output: null, answers: null }
      return {
        position,
        profileNo: profile_no,
        taskNo: task_no,
        output: output ?? '',
        reasoning,
        ...(answers && { earlierAnswers: readEarlierAnswers(answers) }),
        refused: refused === 1,
        holdsFiles: holds_files === 1,
        recorded: recordedScores(runNo, position),
        measured: readMeasured(row),
      }
    })
  }
}

export interface NewScores {
  readonly position: number
  readonly metrics: readonly Metric[]
  /** By metric number. */
  readonly scores: readonly Score[]
}

/** One transaction. The samples show the latest scores; results go by the version. */
export function insertNewScores(db: Database, runNo: number, version: number, rows: readonly NewScores[]): void {
  const insert = db.prepare(insertScoreSql)
  const show = db.prepare('update samples set passed = ?, value = ? where run_no = ? and position = ?')
  db.transaction(() => {
    for (const { position, metrics, scores } of rows) {
      insertScores(insert, { runNo, position, version }, scores)
      const { value, passed } = shownScore(metrics, scores)
      show.run(passed, value, runNo, position)
    }
  })
}
