import { type Results, selectedOnOwnResults } from '../../contract/index.ts'
import type { StoredQuote } from '../quotes/quotes.store.ts'
import type { RunRow } from './runs.store.ts'

/** What a reader of the result must know before believing a number in it. */
export function resultNotices(
  row: RunRow,
  quote: StoredQuote,
  counts: ReadonlyMap<string, number>,
  status: RunRow['status'],
  version: number,
): Results['notices'] {
  const notices: Results['notices'] = []
  const scored = counts.get('scored') ?? 0
  if (!quote.coverage.full_benchmark) {
    notices.push({ code: 'sample', message: `This is a sample of ${quote.counts.tasks} tasks, not a benchmark score.` })
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
  if (status !== 'complete') {
    notices.push({
      code: 'incomplete',
      message: `The run ended ${status}: ${scored} of ${row.frozen} samples were scored. Unscored samples are excluded from the mean; the worst and best case bound their effect.`,
    })
  }
  if (row.unknown_calls > 0) {
    notices.push({
      code: 'possibly_billed_twice',
      message: `${row.unknown_calls} calls were in flight when the service stopped and were sent again: the provider may have billed them twice.`,
    })
  }
  if (row.cached > 0) {
    notices.push({
      code: 'cached',
      message: `${row.cached} of the answers were taken from the cache: they were given to an earlier run, and keep the latency and cost that they had then.`,
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
  return notices
}
