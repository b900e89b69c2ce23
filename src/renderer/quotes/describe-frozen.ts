import type { ExecutionSettings, FrozenCoverage } from '../../contract/index.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'

/** Which tasks were frozen, in words. */
export function coverageText({ mode, sample_count: count, full_benchmark: whole }: FrozenCoverage): string {
  if (mode === 'exact') return 'exactly the tasks that were named'
  if (mode === 'full' || whole) return 'every task'
  return `a sample of ${formatCount(count ?? 0)} tasks per profile`
}

/** Execution settings by name, in words; null for a setting that limits nothing, which a list of facts leaves out. */
export function settingsText(settings: ExecutionSettings): Readonly<Record<string, string | null>> {
  const { temperature, max_output_tokens: tokens, concurrency, max_provider_billed_microusd: providerCap } = settings
  return {
    Temperature: temperature === null ? 'as each profile says' : temperature === 'none' ? 'none is sent' : String(temperature),
    'Reasoning effort': settings.effort,
    'Max output tokens': tokens === null ? 'as each profile says' : `${formatCount(tokens)} tokens`,
    Attempts: `up to ${settings.max_attempts} per sample`,
    Concurrency: concurrency === null ? 'within the endpoint’s limits' : `at most ${concurrency}`,
    'One call': limit(settings.attempt_timeout_ms),
    'One sample': limit(settings.sample_timeout_ms),
    'Whole run': limit(settings.run_timeout_ms),
    Cache: settings.cache ? 'answers of earlier runs are taken' : null,
    'Provider spending limit': providerCap === null ? null : formatUsd(providerCap),
  }
}

function limit(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `at most ${formatDuration(milliseconds)}`
}
