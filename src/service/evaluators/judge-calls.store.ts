import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isBillUnknown } from '../../engine/clients/pricing/unknown-bill.ts'
import { type JudgeCallLog, type JudgeCallReport, judgeReply } from '../../engine/execution/judging/judge-caller.ts'
import type { JudgeQuestion } from '../../engine/grading/judges/judge-output.ts'
import type { Database } from '../../storage/database.ts'
import { compress, packTranscript } from '../../storage/transcript.ts'
import type { GroupCommit } from './group-commit.ts'
import { type JudgeOwner, spend } from './judge-budgets.store.ts'

/** Which calls: one evaluator version's about one item. */
export interface JudgedItem {
  readonly owner: JudgeOwner
  readonly evaluatorVersionId: string
  /** An example's id, a sample's position. */
  readonly item: string
  /** Who is paid for each judge's calls. */
  readonly payers: readonly ('wallet' | 'provider')[]
  readonly writes: GroupCommit
}

const NextAttempt = z.object({ attempt: z.int() })
const Answered = z.object({
  output: z.string(),
  structured: z.string().nullable(),
  reasoned: z.int(),
  finish_reason: z.string().nullable(),
})
const place =
  'owner_kind = ? and owner_id = ? and item = ? and evaluator_version_id = ? and judge = ? and vote = ? and ask_order = ? and criterion = ? and repair = ?'

/** The stored calls of one item. Each is written before and after it is made. */
export function createJudgeCallLog(
  db: Database,
  { owner, evaluatorVersionId, item, payers, writes }: JudgedItem,
): JudgeCallLog & { read(question: JudgeQuestion, verdict: string | null): Promise<void> } {
  const placeOf = (question: JudgeQuestion) => [
    owner.kind,
    owner.id,
    item,
    evaluatorVersionId,
    question.judge,
    question.vote,
    question.order,
    question.criterion ?? '',
    question.repair ? 1 : 0,
  ]
  const nameOf = (question: JudgeQuestion, attempt: number) =>
    createHash('sha256')
      .update(JSON.stringify([...placeOf(question), attempt]))
      .digest('hex')
      .slice(0, 40)
  return {
    answered: question => {
      const row = db
        .prepare(`select output, structured, reasoned, finish_reason from judge_calls where ${place} and status = 'answered'`)
        .get(...placeOf(question))
      if (row === undefined) return null
      const { output, structured, reasoned, finish_reason: finishReason } = Answered.parse(row)
      return { text: output, structured, reasoned: reasoned === 1, finishReason }
    },
    open: (question, startedAt) =>
      writes.write(() => {
        const { attempt } = NextAttempt.parse(
          db.prepare(`select coalesce(max(attempt), 0) + 1 as attempt from judge_calls where ${place}`).get(...placeOf(question)),
        )
        db.prepare(
          `insert into judge_calls (owner_kind, owner_id, item, evaluator_version_id, judge, vote, ask_order, criterion, repair, attempt, status, started_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?)`,
        ).run(...placeOf(question), attempt, startedAt)
        return attempt
      }),
    close: (question, report) =>
      writes.write(() => {
        const payer = payers[question.judge] ?? 'provider'
        const cost = { charged: payer === 'wallet' ? report.cost : 0n, billed: payer === 'provider' ? report.cost : 0n }
        db.prepare(
          `update judge_calls set status = ?, finished_at = ?, latency_ms = ?, error_code = ?, error_message = ?, http_status = ?, finish_reason = ?,
           input_tokens = ?, output_tokens = ?, charged_microusd = ?, billed_microusd = ?, output = ?, structured = ?, reasoned = ?, transcript = ?
           where ${place} and attempt = ? and status in ('open', 'unknown')`,
        ).run(...valuesOf(report), cost.charged, cost.billed, ...contentOf(report), ...placeOf(question), report.attempt)
        spend(db, owner, cost, nameOf(question, report.attempt), new Date(report.finishedAt).toISOString())
      }),
    read: (question, verdict) =>
      writes.write(
        () =>
          void db.prepare(`update judge_calls set verdict = ? where ${place} and status = 'answered'`).run(verdict, ...placeOf(question)),
      ),
  }
}

const Spent = z.object({ spent: z.int() })

/** Micro-USD of an owner's calls about one evaluator version. */
export function spentOn(db: Database, { kind, id }: Pick<JudgeOwner, 'kind' | 'id'>, evaluatorVersionId: string): bigint {
  const row = db
    .prepare(
      `select coalesce(sum(charged_microusd + billed_microusd), 0) as spent from judge_calls
       where owner_kind = ? and owner_id = ? and evaluator_version_id = ?`,
    )
    .get(kind, id, evaluatorVersionId)
  return BigInt(Spent.parse(row).spent)
}

const Count = z.object({ answers: z.int() })

/** How many answers of judges are stored for an owner. */
export function storedAnswers(db: Database, { kind, id }: Pick<JudgeOwner, 'kind' | 'id'>): number {
  const row = db
    .prepare("select count(*) as answers from judge_calls where owner_kind = ? and owner_id = ? and status = 'answered'")
    .get(kind, id)
  return Count.parse(row).answers
}

/** Calls that a stop of the service cut off: they may have been billed, and are made again. */
export function forgetOpenCalls(db: Database, { kind, id }: Pick<JudgeOwner, 'kind' | 'id'>): void {
  db.prepare("update judge_calls set status = 'unknown' where owner_kind = ? and owner_id = ? and status = 'open'").run(kind, id)
}

function valuesOf({ outcome, finishedAt }: JudgeCallReport) {
  return [
    outcome.ok ? 'answered' : isBillUnknown(outcome) ? 'unknown' : 'failed',
    finishedAt,
    outcome.latencyMs,
    outcome.ok ? null : outcome.code,
    outcome.ok ? null : outcome.message,
    outcome.httpStatus,
    outcome.ok ? (judgeReply(outcome).finishReason ?? null) : null,
    outcome.ok ? (outcome.usage?.inputTokens ?? null) : null,
    outcome.ok ? (outcome.usage?.outputTokens ?? null) : null,
  ]
}

function contentOf({ outcome }: JudgeCallReport) {
  const { request, response, earlier = [] } = outcome
  const reply = outcome.ok ? judgeReply(outcome) : null
  const output = reply?.text.toWellFormed() ?? null
  const transcript = request === null && response === null ? null : compress(packTranscript({ request, response, output, earlier }), null)
  return [output, reply?.structured?.toWellFormed() ?? null, reply?.reasoned ? 1 : 0, transcript]
}

/** A random boundary that is the same whenever the same question is asked again, so that a stored reply can still be read. */
export function boundarySource(seed: string, item: string): () => string {
  let drawn = 0
  return () => createHash('sha256').update(`${seed} ${item} ${drawn++}`).digest('hex').slice(0, 32)
}
