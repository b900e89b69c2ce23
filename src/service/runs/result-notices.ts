import type { MetricEvaluator } from '../../contract/catalog/benchmarks.schemas.ts'
import type { FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import { type Results, selectedOnOwnResults } from '../../contract/runs/results.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { epochsOfEvidence } from '../../lib/detectable-difference.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import type { RunRow } from './runs.store.ts'

/** What a reader of the result must know before believing a number in it. */
export function resultNotices(
  row: RunRow,
  quote: StoredQuote,
  counts: ReadonlyMap<string, number>,
  status: RunRow['status'],
  version: number,
  profiles: readonly FrozenProfile[],
  /** When the oldest of its cached answers was given, in milliseconds since 1970; null without one. */
  cachedSince: number | null = null,
): Results['notices'] {
  const notices: Results['notices'] = []
  const scored = counts.get('scored') ?? 0
  notices.push(...sampleNotices(quote))
  if (row.answers !== 'model') {
    notices.push({
      code: 'imported_answers',
      message:
        'The answers were imported from files. They were graded here; how the model was called is not known, and its cost is not counted.',
    })
  }
  for (const { profile_id, present, missing } of quote.coverage.parts.filter(({ complete }) => !complete)) {
    notices.push({
      code: 'parts_missing',
      message:
        missing.length > 0
          ? `${profile_id} has ${present} of ${present + missing.length} parts; ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more are` : missing.length > 1 ? ' are' : ' is'} missing. Its score is not the score of the benchmark.`
          : `${profile_id} has fewer tasks in some parts than upstream. Its score is not the score of the benchmark.`,
    })
  }
  notices.push(...quote.warnings.filter(({ code }) => code === selectedOnOwnResults))
  if (!quote.model.is_model) notices.push({ code: 'not_a_model', message: `${quote.model.title} is a baseline, not a model.` })
  for (const metric of evaluatorsOf(profiles)) {
    notices.push({
      code: metric.judged ? 'judge' : 'evaluator',
      message: `“${metric.name}”, version ${metric.version}: ${metric.statement}.${metric.self_preference === null ? '' : ` ${metric.self_preference}.`}`,
    })
  }
  if (status !== 'complete') {
    notices.push({
      code: 'incomplete',
      message: `The run ended ${status}: ${scored} of ${row.frozen} samples were scored. Unscored samples are excluded from the mean; the worst and best case bound their effect.`,
    })
  }
  if (row.unknown_calls > 0) {
    notices.push({
      code: 'possibly_billed_twice',
      message: `${row.unknown_calls} calls were sent and their cost is unknown: they timed out, were cut off, got a reply that could not be read, or an answer without a readable token count. The provider may have billed them as well as their retries; their upper bound counts toward the spending limit.`,
    })
  }
  if (row.cached > 0) {
    notices.push({
      code: 'cached',
      message: `${row.cached} of the answers were taken from the cache: they were given to an earlier run, and keep the latency and cost that they had then.${cachedSince === null ? '' : ` The oldest is of ${new Date(cachedSince).toISOString().slice(0, 10)}.`}`,
    })
  }
  if (version > 1) {
    notices.push({
      code: 'later_version',
      message: `This is result version ${version}: samples were retried or regraded after the run ended. Earlier versions stay readable.`,
    })
  }
  if (quote.execution.epochs > 1) {
    notices.push({
      code: 'epochs',
      message: `Each task was run ${quote.execution.epochs} times; intervals are computed from task means, since repetitions of one task are not independent.`,
    })
  }
  if (quote.execution.epochs > 1 && isDeterministic(quote)) {
    notices.push({
      code: 'epochs_at_temperature_0',
      message: `Each task was answered ${quote.execution.epochs} times at temperature 0, where a model mostly repeats itself: pass@k and pass^k say little, and more epochs are no more evidence.`,
    })
  }
  return notices
}

/** Which scores are of a sample of their tasks; not those of a profile with every task, whatever the others of its run are. */
function sampleNotices({ profiles, counts, coverage }: Pick<StoredQuote, 'profiles' | 'counts' | 'coverage'>): Results['notices'] {
  const code = 'sample'
  const sampled = profiles.filter(profile => profile.tasks_selected < profile.tasks_available)
  if (sampled.length === profiles.length && !coverage.full_benchmark) {
    return [{ code, message: `This is a sample of ${formatCount(counts.tasks)} tasks, not a benchmark score.` }]
  }
  return sampled.map(profile => ({
    code,
    message: `${profileName(profile)}: a sample of ${formatCount(profile.tasks_selected)} of ${formatCount(profile.tasks_available)} tasks, not a benchmark score.`,
    profile_id: profile.profile_id,
  }))
}

/** Whether every profile was asked at temperature 0; of imported answers it is not known. */
function isDeterministic({ execution, profiles, model }: Pick<StoredQuote, 'execution' | 'profiles' | 'model'>): boolean {
  if (model.kind === 'imported') return false
  return profiles.every(({ generation }) => epochsOfEvidence(2, execution.temperature ?? generation.temperature) === 1)
}

/** Each evaluator once, however many profiles it graded. */
function evaluatorsOf(profiles: readonly FrozenProfile[]): MetricEvaluator[] {
  const found = profiles.flatMap(({ metrics }) => metrics.flatMap(({ evaluator }) => evaluator ?? []))
  return [...new Map(found.map(evaluator => [evaluator.evaluator_version_id, evaluator])).values()]
}
