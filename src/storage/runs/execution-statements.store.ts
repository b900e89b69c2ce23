import { holdsNotice } from './attempt-notices.ts'
import type { Database, Statement } from '../database.ts'
import { type SampleEvent, sampleMachine } from '../../contract/runs/sample.machine.ts'
import { stateSql } from '../transition.ts'

export const insertScoreSql = `insert into scores (run_no, position, metric_no, version, value, class, answer, answer_start, answer_end, explanation, counts, code, label)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

type Name =
  | 'claim'
  | 'refusals'
  | 'answer'
  | 'isHeld'
  | 'answerStored'
  | 'callAgain'
  | 'fail'
  | 'miss'
  | 'cancel'
  | 'attempt'
  | 'score'
  | 'answerAndScore'
  | 'countTokens'
  | 'insertScore'
  | 'count'
  | 'firstCount'
  | 'addUp'
  | 'remember'
  | 'cached'
  | 'hasCalling'
  | 'calling'
  | 'unknownCall'
  | 'release'
  | 'countUnknown'
  | 'hasAnswered'
  | 'ungraded'
  | 'missWaiting'
  | 'cancelWaiting'
  | 'saveRunningTime'

export type Statements = Readonly<Record<Name, Statement>>

const { from, to } = stateSql(sampleMachine, 'status')

/** The statements of the hot path, prepared once. */
export function prepareStatements(db: Database): Statements {
  const end = (event: SampleEvent) =>
    db.prepare(
      `update samples set ${to(event)}, attempts = ?, error_code = ?, error_message = ?, finished_at = ?
       where run_no = ? and position = ? and fence = ? and ${from(event)}`,
    )
  const endWaiting = (event: SampleEvent) =>
    db.prepare(
      `update samples set ${to(event)}, finished_at = ? where run_no = ? and position in
       (select position from samples where run_no = ? and position >= ? and ${from(event)} order by position limit ?)`,
    )
  return {
    claim: db.prepare(
      `update samples set ${to('claim')}, fence = fence + 1, attempts = attempts + 1, called_at = ? where run_no = ? and position in
       (select position from samples where run_no = ? and position >= ? and position < ? and ${from('claim')} order by position limit ?)
       returning position, profile_no, task_no, epoch, fence, attempts`,
    ),
    refusals: db.prepare(
      `select count(*) as n from attempts where run_no = ? and position = ? and (error_code = 'rate_limited' or http_status in (503, 529))`,
    ),
    answer: db.prepare(
      `update samples set ${to('answer')}, latency_ms = ?, input_tokens = ?, output_tokens = ?, cached = ?, error_code = null, error_message = null
       where run_no = ? and position = ? and fence = ? and ${from('answer')}`,
    ),
    isHeld: db.prepare(`select 1 from samples where run_no = ? and position = ? and fence = ? and ${from('answer')}`),
    answerStored: db.prepare(
      `update samples as s set ${to('answer')}, (latency_ms, input_tokens, output_tokens, cached) =
       (select a.latency_ms, a.input_tokens, a.output_tokens, a.cached from attempts a where a.run_no = s.run_no and a.position = s.position and a.number = s.attempts),
       error_code = null, error_message = null where run_no = ? and ${from('answer')} and exists
       (select 1 from attempts a where a.run_no = s.run_no and a.position = s.position and a.number = s.attempts and a.status = 'answered')`,
    ),
    callAgain: db.prepare(
      `update samples set ${to('call_again')}, attempts = ?, called_at = ? where run_no = ? and position = ? and fence = ? and ${from('call_again')}`,
    ),
    fail: end('fail'),
    miss: end('miss'),
    cancel: end('cancel'),
    attempt: db.prepare(
      `insert into attempts (run_no, position, number, status, started_at, finished_at, latency_ms, error_code, error_message, http_status, finish_reason, refused,
       input_tokens, output_tokens, tokens_source, charged_microusd, billed_microusd, output_preview, block_no, block_offset, cached, bill_unknown, notices, served_model, token_parts)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    score: db.prepare(
      `update samples set ${to('score')}, passed = ?, value = ?, output_tokens = coalesce(output_tokens, ?), finished_at = ?
       where run_no = ? and position = ? and fence = ? and ${from('score')}`,
    ),
    answerAndScore: db.prepare(
      `update samples set ${to('score')}, latency_ms = ?, input_tokens = ?, output_tokens = ?, cached = ?, error_code = null, error_message = null,
       passed = ?, value = ?, finished_at = ? where run_no = ? and position = ? and fence = ? and ${from('answer')}`,
    ),
    countTokens: db.prepare(
      `update attempts set output_tokens = ?, tokens_source = 'tokenizer' where run_no = ? and position = ? and status = 'answered' and output_tokens is null`,
    ),
    insertScore: db.prepare(insertScoreSql),
    count: db.prepare('update run_counts set n = n + ? where run_no = ? and status = ?'),
    firstCount: db.prepare('insert into run_counts (n, run_no, status) values (?, ?, ?)'),
    addUp: db.prepare(
      `update runs set charged_microusd = charged_microusd + ?, billed_microusd = billed_microusd + ?, retries = retries + ?, cached = cached + ? where no = ?`,
    ),
    remember: db.prepare(
      `insert into cached_answers (key, run_no, position, number) values (?, ?, ?, ?)
       on conflict do update set run_no = excluded.run_no, position = excluded.position, number = excluded.number`,
    ),
    cached: db.prepare(
      `select a.run_no, a.transcript, a.block_no, a.block_offset, a.started_at, a.finished_at, a.latency_ms, a.http_status, a.finish_reason, a.refused, a.served_model,
       a.input_tokens, a.output_tokens, a.tokens_source, a.token_parts, a.charged_microusd + a.billed_microusd as cost
       from cached_answers c join attempts a on a.run_no = c.run_no and a.position = c.position and a.number = c.number where c.key = ?`,
    ),
    hasCalling: db.prepare(`select 1 from run_counts where run_no = ? and ${from('release')} and n > 0`),
    calling: db.prepare(
      `select position, fence, attempts, called_at from samples where run_no = ? and ${from('release')} order by position`,
    ),
    unknownCall: db.prepare(
      `insert into attempts (run_no, position, number, status, started_at, finished_at, bill_unknown) values (?, ?, ?, 'unknown', ?, ?, 1)`,
    ),
    release: db.prepare(
      `update samples set ${to('release')}, fence = fence + 1, attempts = ? where run_no = ? and position = ? and ${from('release')}`,
    ),
    countUnknown: db.prepare(`update runs set unknown_calls = unknown_calls + ?, uncertain_microusd = uncertain_microusd + ? where no = ?`),
    hasAnswered: db.prepare(`select 1 from run_counts where run_no = ? and ${from('score')} and n > 0`),
    ungraded: db.prepare(
      `select s.position, s.profile_no, s.task_no, s.fence, a.refused, ${holdsNotice('answer_holds_files')} as holds_files, a.output_tokens, a.latency_ms, a.charged_microusd + a.billed_microusd as cost, a.bill_unknown, a.run_no, a.transcript, a.block_no, a.block_offset from samples s
       join attempts a on a.run_no = s.run_no and a.position = s.position and a.number = s.attempts
       where s.run_no = ? and s.position > ? and ${from('score', 's.')} order by s.position limit ?`,
    ),
    missWaiting: endWaiting('miss_waiting'),
    cancelWaiting: endWaiting('cancel_waiting'),
    saveRunningTime: db.prepare('update runs set running_ms = ? where no = ?'),
  }
}
