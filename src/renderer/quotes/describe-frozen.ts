import type { ExecutionSettings, FrozenCoverage, FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatUsd } from '../../lib/format/money.ts'
import { changedPrompt } from '../../lib/format/changed-prompt.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'

/** Which tasks were frozen, in words. */
export function coverageText({ mode, full_benchmark: whole }: FrozenCoverage, profiles: readonly FrozenProfile[]): string {
  if (mode === 'exact') return 'exactly the tasks that were named'
  if (mode === 'full' || whole) return 'every task'
  const [first, ...others] = profiles.map(profileCoverage)
  if (first === undefined || others.every(text => text === first)) return first ?? 'no tasks'
  return profiles.map(profile => `${profileName(profile)}: ${profileCoverage(profile)}`).join('; ')
}

function profileCoverage({ tasks_selected: selected, tasks_available: available }: FrozenProfile): string {
  return selected === available
    ? `every task (${formatCount(available)})`
    : `a sample of ${formatCount(selected)} of ${formatCount(available)} tasks`
}

/** Execution settings by name, in words; null for a setting that limits nothing, which a list of facts leaves out. */
export function settingsText(settings: ExecutionSettings): Readonly<Record<string, string | null>> {
  const { temperature, max_output_tokens: tokens, concurrency, max_provider_billed_microusd: providerCap } = settings
  return {
    Mode: settings.mode === 'batch' ? 'batch: half the price, answers within 24 h' : null,
    Temperature: temperature === null ? 'Profile default' : temperature === 'none' ? 'none is sent' : String(temperature),
    'Top p': settings.top_p?.toString() ?? null,
    'Model seed': settings.model_seed?.toString() ?? null,
    ...Object.fromEntries(changedPrompt(settings).map(([name, text]) => [name, shortened(text)])),
    'Reasoning effort': settings.effort,
    'Max output tokens': tokens === null ? 'Profile default' : `${formatCount(tokens)} tokens`,
    Attempts: `up to ${settings.max_attempts} per sample`,
    Concurrency: concurrency === null ? 'within the endpoint’s limits' : `at most ${concurrency}`,
    'Throttling patience': formatDuration(settings.throttle_patience_ms),
    'One call': limit(settings.attempt_timeout_ms),
    'One sample': limit(settings.sample_timeout_ms),
    'Whole run': limit(settings.run_timeout_ms),
    Cache: settings.cache ? 'answers of earlier runs are taken' : null,
    'Provider spending limit': providerCap === null ? null : formatUsd(providerCap),
  }
}

const longest = 300
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

function limit(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `at most ${formatDuration(milliseconds)}`
}
