import { z } from 'zod'
import { chargeAttempt } from '../billing/transfers.store.ts'
import type { Database } from '../database.ts'
import { prepareStatements } from './execution-statements.store.ts'
import { createSampleFiller, type SampleFiller } from './fill-samples.store.ts'
import { moveBy, noSums, type Sums, writeSums } from './run-sums.store.ts'
import {
  type AttemptWrite,
  type BegunCalls,
  type ClaimedRow,
  firstVersion,
  type HeldSample,
  type RunWrites,
  type ScoreWrite,
  type WrittenRun,
} from './run-writes.ts'
import { insertScores } from './score-rows.store.ts'
import { createTranscriptWriter, type TranscriptPlace as Place } from './transcripts.store.ts'

const CallingRow = z.object({ position: z.int(), fence: z.int(), attempts: z.int(), called_at: z.int().nullable() })

const CountRow = z.object({ n: z.int() })

interface ClaimRow {
  readonly position: number
  readonly profile_no: number
  readonly task_no: number
  readonly epoch: number
  readonly fence: number
  readonly attempts: number
}

/** What is written of runs while they are executed. Each method but `open` and `close` is one transaction. */
export interface RunWriter {
  /** Before anything else of a run. */
  open(run: WrittenRun): void
  close(runNo: number): void
  /**
   * At start: answers whose sample was to be written with the scores are told apart; claimed samples are put back, and calls that were made
   * for them are marked as possibly billed.
   */
  recover(runNo: number, begun: BegunCalls, now: number): void
  /** Makes up to `limit` of the run's frozen samples; answers how many. 0: all are there. */
  fill(runNo: number, limit: number): number
  commit(runNo: number, writes: RunWrites): ClaimedRow[]
  /** Ends up to `limit` samples that were not asked yet; answers how many. */
  endPending(runNo: number, outcome: 'missing' | 'cancelled', limit: number, now: number): number
  /** @param ms for which the run has been executed */
  saveRunningTime(runNo: number, ms: number): void
}

interface OpenRun extends WrittenRun {
  readonly filler: SampleFiller
}

/**
 * The hot path of execution, so its statements are hand-written and prepared once. Every write of a sample carries the fence of its claim;
 * what comes late, after the sample was reclaimed, is ignored.
 */
export function createRunWriter(db: Database): RunWriter {
  const statements = prepareStatements(db)
  const transcripts = createTranscriptWriter(db)
  const runs = new Map<number, OpenRun>()
  /** No sample before it is pending. */
  const firstPending = new Map<number, number>()
  const write = (runNo: number, sums: Sums) => writeSums(statements, runNo, sums)
  const runOf = (runNo: number): OpenRun => {
    const run = runs.get(runNo)
    if (!run) throw new Error(`Run ${runNo} is not being executed.`)
    return run
  }

  /** False if the reporter no longer holds the claim. */
  const moveSample = (runNo: number, report: AttemptWrite, sums: Sums): boolean => {
    const { position, fence, attempt, failure, usage, latencyMs, finishedAt, then, cached, wasMade } = report
    if (report.isScoredNext) return statements.isHeld.get(runNo, position, fence) !== undefined
    if (then === 'grade') {
      const tokens = [usage?.inputTokens ?? null, usage?.outputTokens ?? null]
      if (statements.answer.run(latencyMs, ...tokens, cached ? 1 : 0, runNo, position, fence).changes === 0) return false
      moveBy(sums, 'answer')
      return true
    }
    if (then === 'retry') {
      if (statements.callAgain.run(attempt + 1, finishedAt, runNo, position, fence).changes === 0) return false
      sums.retries++
      return true
    }
    const errors = [failure?.code ?? null, failure?.message ?? null]
    if (statements[then].run(wasMade ? attempt : attempt - 1, ...errors, finishedAt, runNo, position, fence).changes === 0) return false
    // It was counted when the attempt was opened.
    if (!wasMade && attempt > 1) sums.retries--
    moveBy(sums, then)
    return true
  }

  const recordAttempt = (run: OpenRun, report: AttemptWrite, place: Place | null, sums: Sums) => {
    const { runNo } = run
    if (!moveSample(runNo, report, sums) || !report.wasMade) return
    const { position, attempt, failure, usage, cost, cached } = report
    const charged = run.payer === 'wallet' && !cached ? cost : 0n
    const billed = run.payer === 'provider' ? cost : 0n
    statements.attempt.run(
      runNo,
      position,
      attempt,
      failure ? 'failed' : 'answered',
      report.startedAt,
      report.finishedAt,
      report.latencyMs,
      failure?.code ?? null,
      failure?.message ?? null,
      report.httpStatus,
      report.finishReason,
      report.refused ? 1 : 0,
      usage?.inputTokens ?? null,
      usage?.outputTokens ?? null,
      usage ? 'provider' : null,
      charged,
      billed,
      report.preview,
      place?.blockNo ?? null,
      place?.offset ?? null,
      cached ? 1 : 0,
      report.isBillUnknown ? 1 : 0,
      report.notices,
      report.servedModel,
      usage?.parts ? JSON.stringify(usage.parts) : null,
    )
    if (report.isBillUnknown) statements.countUnknown.run(1, report.uncertain, runNo)
    if (report.cacheKey) statements.remember.run(report.cacheKey, runNo, position, attempt)
    if (cached) sums.cached++
    else sums.billed += billed
    if (charged === 0n) return
    const { workspaceId, runId } = run
    chargeAttempt(db, { workspaceId, runId, amount: charged, at: new Date(report.finishedAt).toISOString() }, position, attempt)
    sums.charged += charged
  }

  const recordScores = (runNo: number, report: ScoreWrite, sums: Sums) => {
    const { position, fence, answer, value, passed, finishedAt } = report
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

  const claim = (runNo: number, { claim: count, claimBelow, now }: RunWrites, sums: Sums): ClaimedRow[] => {
    const from = firstPending.get(runNo) ?? 0
    // A strict table of our own answers in these types; parsing each row would cost as much as writing it.
    const rows = statements.claim.all(now, runNo, runNo, from, claimBelow ?? Number.MAX_SAFE_INTEGER, count) as ClaimRow[]
    if (rows.length === 0) return []
    rows.sort((a, b) => a.position - b.position)
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
      refusals: row.attempts > 1 ? CountRow.parse(statements.refusals.get(runNo, row.position)).n : 0,
    }))
  }

  /** Claims that a stop left. Where the call was made, the provider may bill it, so it keeps its number; where it was not, nothing happened. */
  const giveBack = (runNo: number, begun: BegunCalls, now: number) => {
    const sums = noSums()
    let unknown = 0
    // Stored, and to be written to their samples with the scores that no longer came.
    moveBy(sums, 'answer', statements.answerStored.run(runNo).changes)
    for (const row of statements.calling.all(runNo)) {
      const { position, fence, attempts, called_at } = CallingRow.parse(row)
      const at = begunAt(begun, { position, fence, attempt: attempts })
      if (at === null && attempts > 1) sums.retries--
      if (at !== null) {
        unknown++
        statements.unknownCall.run(runNo, position, attempts, at === 'unknown' ? (called_at ?? now) : at, now)
      }
      statements.release.run(at === null ? attempts - 1 : attempts, runNo, position)
      moveBy(sums, 'release')
    }
    write(runNo, sums)
    statements.countUnknown.run(unknown, BigInt(unknown) * (runs.get(runNo)?.callBound ?? 0n), runNo)
  }

  return {
    open: run => {
      runs.set(run.runNo, { ...run, filler: createSampleFiller(db, run.runNo, run.frozen) })
    },
    close: runNo => {
      runs.delete(runNo)
      firstPending.delete(runNo)
      transcripts.forget(runNo)
    },
    recover: (runNo, begun, now) =>
      db.transaction(() => {
        transcripts.forget(runNo)
        firstPending.delete(runNo)
        if (statements.hasCalling.get(runNo)) giveBack(runNo, begun, now)
      }),
    fill: (runNo, limit) => runOf(runNo).filler.fill(limit),
    commit: (runNo, writes) => {
      const run = runOf(runNo)
      try {
        const claimed = db.transaction(() => {
          const sums = noSums()
          const places = transcripts.write(runNo, splitTranscripts(writes))
          for (const [i, report] of writes.attempts.entries()) recordAttempt(run, report, places[i] ?? null, sums)
          for (const report of writes.scores) recordScores(runNo, report, sums)
          const samples = writes.claim > 0 ? claim(runNo, writes, sums) : []
          write(runNo, sums)
          return samples
        })
        const last = claimed.at(-1)
        if (last) firstPending.set(runNo, last.position + 1)
        return claimed
      } catch (error) {
        transcripts.forget(runNo)
        throw error
      }
    },
    endPending: (runNo, outcome, limit, now) =>
      db.transaction(() => {
        const isMissing = outcome === 'missing'
        const end = isMissing ? statements.missWaiting : statements.cancelWaiting
        const { changes } = end.run(now, runNo, runNo, firstPending.get(runNo) ?? 0, limit)
        const sums = noSums()
        moveBy(sums, isMissing ? 'miss_waiting' : 'cancel_waiting', changes)
        write(runNo, sums)
        return changes
      }),
    saveRunningTime: (runNo, ms) => db.transaction(() => void statements.saveRunningTime.run(ms, runNo)),
  }
}

function splitTranscripts({ transcripts, transcriptBytes }: RunWrites): (Uint8Array | null)[] {
  let end = 0
  return transcriptBytes.map(bytes => (bytes === 0 ? null : transcripts.subarray(end, (end += bytes))))
}

/** When a claim's call was begun, in milliseconds since 1970: `null` where none was, `'unknown'` if undetermined. */
export function begunAt(begun: BegunCalls, call: HeldSample & { readonly attempt: number }): number | null | 'unknown' {
  if (begun === 'unknown') return 'unknown'
  const entry = begun.get(call.position)
  return entry?.fence === call.fence && entry.attempt === call.attempt ? entry.at : null
}
