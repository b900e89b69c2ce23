import { createHash } from 'node:crypto'
import { type Ending, endingOf } from '../../../contract/runs/endings.ts'
import type { FrozenProfile } from '../../../contract/quotes/quotes.schemas.ts'
import type { MetricResult, Results } from '../../../contract/runs/results.schemas.ts'
import { createZip } from '../../archives/write-zip.ts'
import { exportedMetrics } from '../../tasks/exported-metrics.ts'
import type { ReadMedia, ReportSample } from '../report/report-sample.ts'
import { inspectMessages } from './inspect-messages.ts'
import { outcomeOf, reasonOf } from './outcome.ts'
import type { Samples, WriteBytes } from './samples.ts'

/**
 * A log of Inspect (`.eval`, version 2): a zip archive that its viewer and `inspect log` open. A sample without a verdict has no score there,
 * one without an answer has an error.
 */
export async function renderRunInspect(results: Results, samples: Samples, write: WriteBytes, readMedia: ReadMedia): Promise<void> {
  const { profiles } = results.reproducibility
  const zip = createZip(write)
  const summaries: unknown[] = []
  const ids: string[] = []
  let answered = 0
  for await (const sample of samples()) {
    const profileNo = profiles.findIndex(one => one.profile_id === sample.profile_id)
    const id = sampleName(sample, profiles.length > 1 ? profileNo : null)
    const log = describeSample(sample, id, results, await inspectMessages(sample.messages, readMedia))
    if (outcomeOf(sample) !== 'not_answered') answered++
    if (ids.at(-1) !== id) ids.push(id)
    await zip.add(`samples/${id}_epoch_${sample.epoch}.json`, JSON.stringify(log))
    const { messages: _messages, output: _output, events: _events, attachments: _attachments, store: _store, ...summary } = log
    summaries.push({ ...summary, completed: log.error === undefined, message_count: log.messages.length })
  }
  const counts = { total_samples: summaries.length, completed_samples: answered }
  await zip.add('summaries.json', JSON.stringify(summaries))
  await zip.add('header.json', JSON.stringify(describeLog(results, ids, counts)))
  await zip.end()
}

const plainId = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,119}$/

/** Inspect names the file of a sample by its id, so an id that is not a safe file name is replaced; the metadata has the task's own. */
function sampleName({ task_id: id }: ReportSample, profileNo: number | null): string {
  const safe = plainId.test(id)
    ? id
    : `${id
        .replaceAll(/[^A-Za-z0-9._-]/g, '-')
        .slice(0, 80)
        .replace(/^[^A-Za-z0-9]/, 'x')}-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`
  return profileNo === null ? safe : `${profileNo + 1}-${safe}`
}

function describeSample(
  sample: ReportSample,
  id: string,
  { reproducibility, run_id: runId }: Results,
  { messages, attachments }: Awaited<ReturnType<typeof inspectMessages>>,
) {
  const { model } = reproducibility.model
  const answer = { role: 'assistant', content: contentOf(sample), source: 'generate', model }
  const usage = usageOf(sample.input_tokens, sample.output_tokens)
  const isAnswered = outcomeOf(sample) !== 'not_answered'
  const profile = reproducibility.profiles.find(one => one.profile_id === sample.profile_id)
  const isOneQuestion = sample.messages.length === 1 && typeof sample.messages[0]?.content === 'string'
  return {
    id,
    epoch: sample.epoch,
    input: isOneQuestion && sample.messages[0]?.role === 'user' ? sample.messages[0].content : messages,
    ...(sample.choices === null ? {} : { choices: sample.choices }),
    target: sample.targets.length === 1 ? sample.targets[0] : sample.targets,
    messages: [...messages, ...(isAnswered ? [answer] : [])],
    output: {
      model,
      choices: isAnswered ? [{ message: answer, stop_reason: stopReason(sample.finish_reason) }] : [],
      completion: isAnswered ? (sample.output ?? '') : '',
      ...(usage === null ? {} : { usage }),
      ...(sample.latency_ms === null ? {} : { time: sample.latency_ms / 1000 }),
    },
    scores: scoresOf(sample),
    metadata: { task_id: sample.task_id, profile_id: sample.profile_id, assay_sample_id: sample.id, assay_run_id: runId },
    store: {},
    events: [],
    model_usage: usage === null ? {} : { [model]: usage },
    role_usage: {},
    ...(sample.finished_at === null ? {} : { completed_at: sample.finished_at }),
    ...(sample.latency_ms === null ? {} : { total_time: sample.latency_ms / 1000 }),
    uuid: sample.id,
    ...(isAnswered ? {} : { error: { message: reasonOf(sample, profile), traceback: '', traceback_ansi: '' } }),
    attachments,
  }
}

/** As Inspect keeps a model's reasoning: a part of its own before the text. */
function contentOf({ output, reasoning }: ReportSample) {
  const text = output ?? ''
  return reasoning === null
    ? text
    : [
        { type: 'reasoning', reasoning },
        { type: 'text', text },
      ]
}

function scoresOf({ score_details: scores, status }: ReportSample): Record<string, unknown> {
  if (status !== 'scored') return {}
  return Object.fromEntries(
    scores.flatMap(({ metric, value, answer, explanation, scorer, scorer_version: version }) =>
      value === null
        ? []
        : [
            [
              metric,
              {
                value,
                ...(answer === null ? {} : { answer }),
                explanation,
                metadata: { assay_scorer: scorer, assay_scorer_version: version },
                history: [],
              },
            ],
          ],
    ),
  )
}

const stopReasons: Readonly<Record<Ending | 'unknown', string>> = {
  good: 'stop',
  tool_calls: 'tool_calls',
  cut_off: 'max_tokens',
  refused: 'content_filter',
  failed: 'unknown',
  unknown: 'unknown',
}

const stopReason = (reason: string | null): string => stopReasons[endingOf(reason) ?? 'unknown']

function usageOf(input: number | null, output: number | null) {
  return input === null || output === null ? null : { input_tokens: input, output_tokens: output, total_tokens: input + output }
}

const statuses: Readonly<Record<string, string>> = { complete: 'success', partial: 'success', cancelled: 'cancelled' }

function describeLog(results: Results, sampleIds: readonly string[], counts: { total_samples: number; completed_samples: number }) {
  const { run_id: runId, reproducibility, coverage, usage, stop_reason: reason } = results
  const { model, profiles, execution, app_version: version, started_at: started, finished_at: finished } = reproducibility
  const [first] = profiles
  const metrics = profiles.flatMap(profile => profile.metrics)
  const status = statuses[results.status] ?? 'error'
  const tokens = usageOf(usage.input_tokens, usage.output_tokens)
  const config = generateConfig(first, execution)
  return {
    version: 2,
    status,
    eval: {
      eval_id: runId,
      run_id: runId,
      created: results.created_at,
      task: profiles.length === 1 && first ? first.slug : results.name,
      task_id: runId,
      task_version: 0,
      task_attribs: {},
      task_args: {},
      task_args_passed: {},
      dataset: {
        name: profiles.map(({ source_ref }) => source_ref).join(', '),
        samples: sampleIds.length,
        sample_ids: sampleIds,
        shuffled: coverage.mode === 'sample',
      },
      model: model.model,
      model_generate_config: config,
      model_args: {},
      config: { epochs: coverage.epochs, fail_on_error: false },
      packages: { assay: version },
      metadata: { assay: { metrics: exportedMetrics(metrics), task_digest: coverage.task_digest, result_version: results.result_version } },
      scorers: metrics.map(({ id, options }) => ({
        name: id,
        options,
        metrics: [
          { name: 'mean', options: {} },
          { name: 'stderr', options: {} },
        ],
      })),
    },
    plan: { name: 'plan', steps: [{ solver: 'generate', params: {}, params_passed: {} }], config },
    results: { ...counts, scores: results.metrics.filter(({ attempts }) => attempts === undefined).map(describeScore) },
    stats: {
      started_at: started ?? results.created_at,
      completed_at: finished ?? results.created_at,
      model_usage: tokens === null ? {} : { [model.model]: tokens },
      role_usage: {},
      connection_limit_history: [],
    },
    ...(status === 'error' ? { error: { message: reason?.message ?? 'The run failed.', traceback: '', traceback_ansi: '' } } : {}),
    invalidated: false,
    tags: [],
    metadata: {},
  }
}

function describeScore({ metric, estimate, unscored, profile_id: profile }: MetricResult) {
  const figure = (name: string, value: number | null) => (value === null ? [] : [[name, { name, value, params: {} }]])
  return {
    name: metric,
    scorer: metric,
    scored_samples: estimate.n,
    unscored_samples: unscored,
    params: {},
    metrics: Object.fromEntries([...figure('mean', estimate.mean), ...figure('stderr', estimate.standard_error)]),
    metadata: { profile_id: profile, ...(estimate.interval === null ? {} : { interval: estimate.interval }) },
  }
}

function generateConfig(
  profile: FrozenProfile | undefined,
  { temperature, max_output_tokens: longest, top_p: topP = null, model_seed: seed = null }: Results['reproducibility']['execution'],
) {
  const heat = temperature ?? profile?.generation.temperature ?? null
  const tokens = longest ?? profile?.generation.max_output_tokens ?? null
  return {
    ...(typeof heat === 'number' ? { temperature: heat } : {}),
    ...(topP === null ? {} : { top_p: topP }),
    ...(seed === null ? {} : { seed }),
    ...(tokens === null ? {} : { max_tokens: tokens }),
  }
}
