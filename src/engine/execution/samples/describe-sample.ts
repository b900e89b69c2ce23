import type { Message, MessageContent } from '../../../contract/messages/messages.schemas.ts'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import { CallNotes, type NoticeCode, sampleNotice } from '../../../contract/runs/call-notes.ts'
import type { SampleDetail } from '../../../contract/runs/samples.schemas.ts'
import { ScoreClass } from '../../../contract/runs/score-class.ts'
import { readEpisode } from './read-episode.ts'
import { readEarlierAnswers, withTurns } from './with-turns.ts'
import { type PromptRecipe, renderPrompt } from './render-prompt.ts'

/** A sample as any store keeps it: what is needed to show it to a person. */
export interface SampleRecord {
  readonly position: number
  readonly profile_no: number
  readonly epoch: number
  readonly status: SampleDetail['status']
  readonly attempts: number
  readonly cached: number
  readonly error_code: string | null
  readonly error_message: string | null
  readonly latency_ms: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly finished_at: number | null
  readonly task: {
    readonly id: string
    readonly fields: Readonly<Record<string, string>>
    readonly conversations?: Readonly<Record<string, readonly Message[]>> | undefined
    readonly turns?: readonly MessageContent[] | undefined
    readonly targets: readonly string[]
    readonly choices: readonly string[] | null
    readonly metadata: Readonly<Record<string, unknown>>
  }
  readonly attemptLog: readonly {
    readonly finish_reason: string | null
    readonly notices: readonly NoticeCode[]
    readonly wire: {
      readonly output: string | null
      readonly reasoning?: string | null
      readonly answers?: string | null
      readonly notes?: string | null
    } | null
  }[]
  readonly scores: readonly {
    readonly metric_no: number
    readonly value: number | null
    readonly class: string
    readonly answer: string | null
    readonly answer_start: number | null
    readonly answer_end: number | null
    readonly explanation: string
    readonly code: string | null
    readonly label?: string | null
  }[]
}

/** What transcripts and exports share of a sample. */
export type SampleTranscript = Omit<SampleDetail, 'run_id' | 'scores' | 'title' | 'attempt_log' | 'example' | 'previous_id' | 'next_id'>

/** The prompt is rendered again from the frozen profile: the same recipe and task give the same text, to the byte. */
export function describeSample(record: SampleRecord, id: string, profile: FrozenProfile, recipe: PromptRecipe): SampleTranscript {
  const primary = profile.metrics.findIndex(metric => metric.primary)
  const value = record.scores.find(score => score.metric_no === primary)?.value ?? null
  const answered = record.attemptLog.findLast(attempt => attempt.wire?.output !== null && attempt.wire !== null)
  return {
    id,
    position: record.position,
    profile_id: profile.profile_id,
    task_id: record.task.id,
    epoch: record.epoch,
    status: record.status,
    passed: record.status !== 'scored' || value === null ? null : value >= 1,
    error:
      record.error_code === null || record.status === 'scored' ? null : { code: record.error_code, message: record.error_message ?? '' },
    attempts: record.attempts,
    latency_ms: record.latency_ms,
    input_tokens: record.input_tokens,
    output_tokens: record.output_tokens,
    cached: record.cached === 1,
    finished_at: record.finished_at === null ? null : new Date(record.finished_at).toISOString(),
    messages: withTurns(renderPrompt(recipe, record.task), record.task.turns, readEarlierAnswers(answered?.wire?.answers)),
    notices: noticesOf(answered),
    output: answered?.wire?.output ?? null,
    reasoning: answered?.wire?.reasoning ?? null,
    episode: readEpisode(profile, answered?.wire?.output ?? null),
    finish_reason: answered?.finish_reason ?? null,
    targets: [...record.task.targets],
    choices: record.task.choices ? [...record.task.choices] : null,
    score_details: record.scores.flatMap(score => {
      const metric = profile.metrics[score.metric_no]
      if (!metric) return []
      return [
        {
          metric: metric.id,
          title: metric.title,
          scorer: metric.scorer,
          scorer_version: metric.scorer_version,
          value: score.value,
          class: ScoreClass.parse(score.class),
          code: score.code,
          ...(score.label != null && { label: score.label }),
          answer: score.answer,
          answer_span:
            score.answer_start === null || score.answer_end === null ? null : { start: score.answer_start, end: score.answer_end },
          explanation: score.explanation,
        },
      ]
    }),
  }
}

/** In the words of the call where it says them with its values. */
function noticesOf(answered: SampleRecord['attemptLog'][number] | undefined): SampleDetail['notices'] {
  const said = answered?.wire?.notes ? CallNotes.parse(JSON.parse(answered.wire.notes)) : []
  return (answered?.notices ?? []).map(code => said.find(note => note.code === code) ?? sampleNotice(code))
}
