import { z } from 'zod'
import type {
  AnsweredSample,
  AttemptReport,
  ClaimedSample,
  Commit,
  MetricPlan,
  RunStore,
  ScoreReport,
} from '../../engine/scheduler/ports.ts'
import type { Database } from '../../storage/database.ts'
import { compress, decompress, packTranscript, unpackTranscript } from '../../storage/transcript.ts'
import { chargeAttempt } from '../billing/index.ts'

/** What this store must know of a run that is being carried out. */
export interface ExecutingRun {
  readonly workspaceId: string
  readonly runId: string
  /** Metrics by profile number. */
  readonly metrics: readonly (readonly MetricPlan[])[]
  /** What the wallet is charged for an attempt. */
  readonly price: (usage: AttemptReport['usage']) => bigint
}

const previewCharacters = 200

interface ClaimRow {
  readonly position: number
  readonly profile_no: number
  readonly task_no: number
  readonly epoch: number
  readonly fence: number
  readonly attempts: number
}
const Ungraded = z.object({
  position: z.int(),
  profile_no: z.int(),
  task_no: z.int(),
  fence: z.int(),
  refused: z.int(),
  output_tokens: z.int().nullable(),
  transcript: z.instanceof(Uint8Array).nullable(),
})

/**
 * The scheduler's store: the hot path, so its statements are written by hand and prepared once. Every write of a sample carries
 * the fence of its claim; what comes late, after the sample was claimed anew, changes nothing.
 */
export function createExecutionStore(db: Database, runOf: (runNo: number) => ExecutingRun, now: () => number): RunStore {
  const dictionaries = new Map<number, Uint8Array | null>()
  const statements = prepareStatements(db)

  const dictionaryOf = (runNo: number): Uint8Array | null => {
    const known = dictionaries.get(runNo)
    if (known !== undefined) return known
    const row = db.first(db.sql.selectFrom('runs').select('dictionary').where('no', '=', runNo))
    dictionaries.set(runNo, row?.dictionary ?? null)
    return row?.dictionary ?? null
  }
  /** The first transcript of a run becomes the dictionary of the others; itself it is packed without. */
  const pack = (runNo: number, report: AttemptReport): Uint8Array => {
    const { outcome } = report
    const block = packTranscript({ request: outcome.request, response: outcome.response, output: outcome.ok ? outcome.output : null })
    const dictionary = dictionaryOf(runNo)
    if (dictionary) return compress(block, dictionary)
    statements.setDictionary.run(block, runNo)
    dictionaries.set(runNo, block)
    return compress(block, block)
  }

  const recordAttempt = (runNo: number, run: ExecutingRun, report: AttemptReport) => {
    const { sample, outcome, usage } = report
    const charge = run.price(usage)
    const at = new Date(report.finishedAt).toISOString()
    const held = statements.finishAttempt.run(
      outcome.ok ? 'answered' : 'failed',
      report.finishedAt,
      outcome.latencyMs,
      outcome.ok ? null : outcome.code,
      outcome.ok ? null : outcome.message,
      outcome.httpStatus,
      outcome.ok ? outcome.finishReason : null,
      outcome.ok && outcome.refused ? 1 : 0,
      usage?.inputTokens ?? null,
      usage?.outputTokens ?? null,
      usage ? 'provider' : null,
      charge,
      pack(runNo, report),
      runNo,
      sample.position,
      report.attempt,
    )
    if (held.changes === 0) return
    if (charge > 0n) {
      chargeAttempt(db, { workspaceId: run.workspaceId, runId: run.runId, amount: charge, at }, sample.position, report.attempt)
      statements.addCharge.run(charge, runNo)
    }
    moveSample(runNo, report)
  }

  const moveSample = (runNo: number, { sample, attempt, outcome, usage, finishedAt, then }: AttemptReport) => {
    if (then === 'grade' && outcome.ok) {
      const preview = outcome.output.slice(0, previewCharacters).toWellFormed()
      statements.answer.run(
        outcome.latencyMs,
        usage?.inputTokens ?? null,
        usage?.outputTokens ?? null,
        preview,
        runNo,
        sample.position,
        sample.fence,
      )
    } else if (then === 'retry') {
      if (statements.retry.run(attempt + 1, runNo, sample.position, sample.fence).changes === 0) return
      statements.beginAttempt.run(runNo, sample.position, attempt + 1, finishedAt)
      statements.countRetry.run(runNo)
    } else if (!outcome.ok) {
      const status = then === 'cancel' ? 'cancelled' : then === 'miss' ? 'missing' : 'failed'
      statements.end.run(status, outcome.code, outcome.message, finishedAt, runNo, sample.position, sample.fence)
    }
  }

  const recordScores = (runNo: number, run: ExecutingRun, report: ScoreReport) => {
    const primary = run.metrics[report.profileNo]?.findIndex(metric => metric.primary) ?? 0
    const value = report.scores[primary]?.value ?? null
    const passed = value === null ? null : value >= 1 ? 1 : 0
    if (statements.score.run(passed, value, report.outputTokens, report.finishedAt, runNo, report.position, report.fence).changes === 0)
      return
    if (report.outputTokens !== null) statements.countTokens.run(report.outputTokens, runNo, report.position)
    for (const [metricNo, score] of report.scores.entries()) {
      statements.insertScore.run(
        runNo,
        report.position,
        metricNo,
        score.value,
        score.class,
        score.answer?.toWellFormed() ?? null,
        score.answerSpan?.start ?? null,
        score.answerSpan?.end ?? null,
        score.explanation.toWellFormed(),
      )
    }
  }

  const claim = (runNo: number, count: number): ClaimedSample[] => {
    const startedAt = now()
    // A strict table of our own answers in these types; parsing each row would cost as much as writing it.
    const rows = statements.nextPending.all(runNo, count) as ClaimRow[]
    return rows.map(row => {
      const claimed = {
        position: row.position,
        profileNo: row.profile_no,
        taskNo: row.task_no,
        epoch: row.epoch,
        fence: row.fence + 1,
        attempt: row.attempts + 1,
      }
      statements.claim.run(claimed.fence, claimed.attempt, runNo, row.position)
      statements.beginAttempt.run(runNo, row.position, claimed.attempt, startedAt)
      return claimed
    })
  }

  return {
    recover: runNo =>
      db.transaction(() => {
        dictionaries.delete(runNo)
        statements.forgetCalls.run(now(), runNo)
        statements.countUnknown.run(runNo, runNo)
        statements.putBack.run(runNo)
      }),
    commit: (runNo: number, commit: Commit) => {
      const run = runOf(runNo)
      try {
        return db.transaction(() => {
          for (const report of commit.attempts) recordAttempt(runNo, run, report)
          for (const report of commit.scores) recordScores(runNo, run, report)
          return commit.claim > 0 ? claim(runNo, commit.claim) : []
        })
      } catch (error) {
        // What was rolled back may have been the dictionary.
        dictionaries.delete(runNo)
        throw error
      }
    },
    ungraded: (runNo, limit) =>
      statements.ungraded.all(runNo, limit).map((row): AnsweredSample => {
        const { position, profile_no, task_no, fence, refused, output_tokens, transcript } = Ungraded.parse(row)
        const output = transcript ? unpackTranscript(decompress(transcript, dictionaryOf(runNo))).output : null
        return {
          position,
          profileNo: profile_no,
          taskNo: task_no,
          fence,
          output: output ?? '',
          refused: refused === 1,
          countTokens: output_tokens === null,
        }
      }),
    endPending: (runNo, outcome, limit, at) => db.transaction(() => statements.endPending.run(outcome, at, runNo, runNo, limit).changes),
  }
}

function prepareStatements(db: Database) {
  return {
    setDictionary: db.prepare('update runs set dictionary = ? where no = ?'),
    finishAttempt: db.prepare(
      `update attempts set status = ?, finished_at = ?, latency_ms = ?, error_code = ?, error_message = ?, http_status = ?, finish_reason = ?, refused = ?,
       input_tokens = ?, output_tokens = ?, tokens_source = ?, charged_microusd = ?, transcript = ?
       where run_no = ? and position = ? and number = ? and status = 'started'`,
    ),
    addCharge: db.prepare('update runs set charged_microusd = charged_microusd + ? where no = ?'),
    countRetry: db.prepare('update runs set retries = retries + 1 where no = ?'),
    beginAttempt: db.prepare(`insert into attempts (run_no, position, number, status, started_at) values (?, ?, ?, 'started', ?)`),
    answer: db.prepare(
      `update samples set status = 'answered', latency_ms = ?, input_tokens = ?, output_tokens = ?, output_preview = ?, error_code = null, error_message = null
       where run_no = ? and position = ? and fence = ? and status = 'calling'`,
    ),
    retry: db.prepare(`update samples set attempts = ? where run_no = ? and position = ? and fence = ? and status = 'calling'`),
    end: db.prepare(
      `update samples set status = ?, error_code = ?, error_message = ?, finished_at = ? where run_no = ? and position = ? and fence = ? and status = 'calling'`,
    ),
    score: db.prepare(
      `update samples set status = 'scored', passed = ?, value = ?, output_tokens = coalesce(output_tokens, ?), finished_at = ? where run_no = ? and position = ? and fence = ? and status = 'answered'`,
    ),
    countTokens: db.prepare(
      `update attempts set output_tokens = ?, tokens_source = 'tokenizer' where run_no = ? and position = ? and status = 'answered' and output_tokens is null`,
    ),
    insertScore: db.prepare(
      `insert into scores (run_no, position, metric_no, version, value, class, answer, answer_start, answer_end, explanation) values (?, ?, ?, 1, ?, ?, ?, ?, ?, ?)`,
    ),
    nextPending: db.prepare(
      `select position, profile_no, task_no, epoch, fence, attempts from samples where run_no = ? and status = 'pending' order by position limit ?`,
    ),
    claim: db.prepare(`update samples set status = 'calling', fence = ?, attempts = ? where run_no = ? and position = ?`),
    forgetCalls: db.prepare(`update attempts set status = 'unknown', finished_at = ? where run_no = ? and status = 'started'`),
    countUnknown: db.prepare(
      `update runs set unknown_calls = (select count(*) from attempts where run_no = ? and status = 'unknown') where no = ?`,
    ),
    putBack: db.prepare(`update samples set status = 'pending', fence = fence + 1 where run_no = ? and status = 'calling'`),
    ungraded: db.prepare(
      `select s.position, s.profile_no, s.task_no, s.fence, a.refused, a.output_tokens, a.transcript from samples s
       join attempts a on a.run_no = s.run_no and a.position = s.position and a.number = s.attempts
       where s.run_no = ? and s.status = 'answered' order by s.position limit ?`,
    ),
    endPending: db.prepare(
      `update samples set status = ?, finished_at = ? where run_no = ? and position in
       (select position from samples where run_no = ? and status = 'pending' order by position limit ?)`,
    ),
  }
}
