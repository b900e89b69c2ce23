import { z } from 'zod'
import type {
  AttemptReport,
  ClaimedSample,
  Commit,
  MetricPlan,
  MoneyPlan,
  RunStore,
  ScoreReport,
} from '../../engine/execution/scheduler/ports.ts'
import { sampleMachine, type SampleStatus } from '../../contract/index.ts'
import { isBusy } from '../../storage/busy.ts'
import type { Database } from '../../storage/database.ts'
import { chargeAttempt } from '../billing/index.ts'
import type { Kernel } from '../kernel.ts'
import type { CallLog } from './call-log.ts'
import { prepareStatements } from '../../storage/runs/execution-statements.store.ts'
import type { SampleFiller } from './fill-samples.store.ts'
import { move, moveBy, noSums, type Sums, writeSums } from '../../storage/runs/run-sums.store.ts'
import { firstVersion } from './runs.store.ts'
import { insertScores, shownScore } from './score-rows.store.ts'
import { createStoredAnswers } from './stored-answers.store.ts'
import { createTranscriptWriter, type TranscriptPlace as Place } from './transcripts.store.ts'

/** What this store must know of a run that is being carried out. */
export interface ExecutingRun {
  readonly workspaceId: string
  readonly runId: string
  /** Metrics by profile number. */
  readonly metrics: readonly (readonly MetricPlan[])[]
  readonly payer: MoneyPlan['payer'] | null
  readonly filler: SampleFiller
}

const previewCharacters = 200

const CallingRow = z.object({ position: z.int(), fence: z.int(), attempts: z.int(), called_at: z.int().nullable() })

interface ClaimRow {
  readonly position: number
  readonly profile_no: number
  readonly task_no: number
  readonly epoch: number
  readonly fence: number
  readonly attempts: number
}
/**
 * The scheduler's store: the hot path, so its statements are hand-written and prepared once. Every write of a sample carries
 * the fence of its claim; what comes late, after the sample was reclaimed, is ignored.
 */
export function createExecutionStore(
  { db, clock, storage }: Pick<Kernel, 'db' | 'clock' | 'storage'>,
  calls: CallLog,
  runOf: (runNo: number) => ExecutingRun,
): RunStore {
  const now = () => clock.now().getTime()
  const statements = prepareStatements(db)
  const transcripts = createTranscriptWriter(db)
  const answers = createStoredAnswers(db, statements)
  const write = (runNo: number, sums: Sums) => writeSums(statements, runNo, sums)
  /** No sample before it is pending. */
  const firstPending = new Map<number, number>()

  /** False if the reporter no longer holds the claim. */
  const moveSample = (runNo: number, report: AttemptReport, sums: Sums): boolean => {
    const { sample, attempt, outcome, usage, finishedAt, then, cached } = report
    const { position, fence } = sample
    if (report.isScoredNext) return statements.isHeld.get(runNo, position, fence) !== undefined
    if (then === 'grade' && outcome.ok) {
      if (
        statements.answer.run(
          outcome.latencyMs,
          usage?.inputTokens ?? null,
          usage?.outputTokens ?? null,
          cached ? 1 : 0,
          runNo,
          position,
          fence,
        ).changes === 0
      )
        return false
      moveBy(sums, 'answer')
      return true
    }
    if (then === 'retry') {
      if (statements.callAgain.run(attempt + 1, finishedAt, runNo, position, fence).changes === 0) return false
      sums.retries++
      return true
    }
    const event = then === 'cancel' || then === 'miss' ? then : 'fail'
    const { code, message } = outcome.ok ? { code: null, message: null } : outcome
    if (statements[event].run(wasAsked(outcome) ? attempt : attempt - 1, code, message, finishedAt, runNo, position, fence).changes === 0)
      return false
    // It was counted when the attempt was opened.
    if (!wasAsked(outcome) && attempt > 1) sums.retries--
    moveBy(sums, event)
    return true
  }

  const recordAttempt = (runNo: number, run: ExecutingRun, report: AttemptReport, place: Place | null, sums: Sums) => {
    if (!moveSample(runNo, report, sums) || !wasAsked(report.outcome)) return
    const { sample, attempt, outcome, usage, cost, isBillUnknown, cached } = report
    const charged = run.payer === 'wallet' && !cached ? cost : 0n
    const billed = run.payer === 'provider' ? cost : 0n
    statements.attempt.run(
      runNo,
      sample.position,
      attempt,
      outcome.ok ? 'answered' : 'failed',
      report.startedAt,
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
      charged,
      billed,
      outcome.ok ? outcome.output.slice(0, previewCharacters).toWellFormed() : null,
      place?.blockNo ?? null,
      place?.offset ?? null,
      cached ? 1 : 0,
      isBillUnknown ? 1 : 0,
    )
    if (isBillUnknown) statements.countUnknown.run(1, runNo)
    if (report.cacheKey) statements.remember.run(report.cacheKey, runNo, sample.position, attempt)
    if (cached) sums.cached++
    else sums.billed += billed
    if (charged === 0n) return
    chargeAttempt(
      db,
      { workspaceId: run.workspaceId, runId: run.runId, amount: charged, at: new Date(report.finishedAt).toISOString() },
      sample.position,
      attempt,
    )
    sums.charged += charged
  }

  const recordScores = (runNo: number, run: ExecutingRun, report: ScoreReport, sums: Sums) => {
    const { position, fence, answer, finishedAt } = report
    const { value, passed } = shownScore(run.metrics[report.profileNo] ?? [], report.scores)
    const { changes } = answer
      ? statements.answerAndScore.run(
          answer.latencyMs,
          answer.usage?.inputTokens ?? null,
          answer.usage?.outputTokens ?? report.outputTokens,
          answer.cached ? 1 : 0,
          passed,
          value,
          finishedAt,
          runNo,
          position,
          fence,
        )
      : statements.score.run(passed, value, report.outputTokens, finishedAt, runNo, position, fence)
    if (changes === 0) return
    if (answer) moveBy(sums, 'answer')
    moveBy(sums, 'score')
    if (report.outputTokens !== null) statements.countTokens.run(report.outputTokens, runNo, position)
    insertScores(statements.insertScore, { runNo, position, version: firstVersion }, report.scores)
  }

  const claim = (runNo: number, count: number, below: number | null, sums: Sums): ClaimedSample[] => {
    // A strict table of our own answers in these types; parsing each row would cost as much as writing it.
    const rows = statements.claim.all(
      now(),
      runNo,
      runNo,
      firstPending.get(runNo) ?? 0,
      below ?? Number.MAX_SAFE_INTEGER,
      count,
    ) as ClaimRow[]
    rows.sort((a, b) => a.position - b.position)
    const last = rows.at(-1)
    if (!last) return []
    moveBy(sums, 'claim', rows.length)
    // After a restart, and in a part, samples with earlier attempts are claimed.
    sums.retries += rows.filter(row => row.attempts > 1).length
    return rows.map(row => ({
      position: row.position,
      profileNo: row.profile_no,
      taskNo: row.task_no,
      epoch: row.epoch,
      fence: row.fence,
      attempt: row.attempts,
    }))
  }

  /** Claims that a stop left. Where the call was made, the provider may bill it, so it keeps its number; where it was not, nothing happened. */
  const giveBack = (runNo: number) => {
    const sums = noSums()
    let unknown = 0
    // Stored, and to be written to their samples with the scores that did not come any more.
    moveBy(sums, 'answer', statements.answerStored.run(runNo).changes)
    for (const row of statements.calling.all(runNo)) {
      const { position, fence, attempts, called_at } = CallingRow.parse(row)
      const begun = calls.begunAt(runNo, { position, fence, attempt: attempts })
      if (begun === null && attempts > 1) sums.retries--
      if (begun !== null) {
        unknown++
        statements.unknownCall.run(runNo, position, attempts, begun === 'unknown' ? (called_at ?? now()) : begun, now())
      }
      statements.release.run(begun === null ? attempts - 1 : attempts, runNo, position)
      moveBy(sums, 'release')
    }
    write(runNo, sums)
    statements.countUnknown.run(unknown, runNo)
  }

  return {
    recover: runNo => {
      db.transaction(() => {
        transcripts.forget(runNo)
        firstPending.delete(runNo)
        if (statements.hasCalling.get(runNo)) giveBack(runNo)
      })
      calls.forget(runNo)
    },
    begin: (runNo, { position, fence }, attempt) => calls.begin(runNo, { position, fence, attempt }, now()),
    fill: (runNo, limit) => runOf(runNo).filler.fill(limit),
    commit: (runNo: number, commit: Commit) => {
      const run = runOf(runNo)
      try {
        // The journal tries again, and the loop serves reads meanwhile.
        const claimed = db.withoutWaiting(() =>
          db.transaction(() => {
            const sums = noSums()
            const places = transcripts.write(
              runNo,
              commit.attempts.map(report => report.outcome),
            )
            for (const [i, report] of commit.attempts.entries()) recordAttempt(runNo, run, report, places[i] ?? null, sums)
            for (const report of commit.scores) recordScores(runNo, run, report, sums)
            const samples = commit.claim > 0 ? claim(runNo, commit.claim, commit.claimBelow, sums) : []
            write(runNo, sums)
            return samples
          }),
        )
        const last = claimed.at(-1)
        if (last) firstPending.set(runNo, last.position + 1)
        for (const { sample } of commit.attempts) calls.ended(runNo, sample.position)
        return claimed
      } catch (error) {
        transcripts.forget(runNo)
        throw error
      }
    },
    ungraded: answers.ungraded,
    endPending: (runNo, outcome, limit, at) =>
      db.transaction(() => {
        const isMissing = outcome === 'missing'
        const end = isMissing ? statements.missWaiting : statements.cancelWaiting
        const { changes } = end.run(at, runNo, runNo, firstPending.get(runNo) ?? 0, limit)
        const sums = noSums()
        moveBy(sums, isMissing ? 'miss_waiting' : 'cancel_waiting', changes)
        write(runNo, sums)
        return changes
      }),
    cached: answers.cached,
    saveRunningTime: (runNo, ms) => void statements.saveRunningTime.run(ms, runNo),
    passes: error => storage.note(error) !== null || isBusy(error),
  }
}

/** Every sample that has not ended ends as cancelled, in the caller's transaction; those that were not made yet are counted so. */
export function cancelSamples(db: Database, runNo: number, at: number): void {
  const { from, to } = sampleMachine.events.abandon
  const open: readonly SampleStatus[] = from
  db.run(db.sql.updateTable('samples').set({ status: to, finished_at: at }).where('run_no', '=', runNo).where('status', 'in', open))
  const sums = noSums()
  for (const { status, n } of db.all(db.sql.selectFrom('run_counts').select(['status', 'n']).where('run_no', '=', runNo)))
    if (open.includes(status)) move(sums, status, to, n)
  writeSums(prepareStatements(db), runNo, sums)
}

/** Whether a call was made at all: a run that ends may take back samples before their turn came. */
function wasAsked(outcome: AttemptReport['outcome']): boolean {
  return outcome.ok || outcome.code !== 'cancelled' || outcome.request !== null
}
