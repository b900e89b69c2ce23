import type { Benchmark, BenchmarkDetail, Profile, QuoteAvailability } from '../../contract/index.ts'
import type { ProfileDefinition } from '../../engine/benchmarks/definition.ts'
import type { Shot } from '../../engine/tasks/task.ts'
import type { StoredBenchmark, StoredVersion } from './benchmarks.store.ts'
import type { StoredDefinition } from './definition.schemas.ts'

const ready: QuoteAvailability = { status: 'ready_for_quote', reasons: [] }

/** Why a profile can or cannot be quoted. */
export function availabilityOf(benchmark: Pick<StoredBenchmark, 'status'>, profile: Pick<ProfileDefinition, 'shots'>, shots: readonly Shot[]): QuoteAvailability {
  if (benchmark.status === 'quarantined') return { status: 'quarantined', reasons: ['The benchmark is quarantined: a fault in it is being looked into.'] }
  if (benchmark.status === 'retired') return { status: 'retired', reasons: ['The benchmark is retired; its results stay readable.'] }
  if (profile.shots > shots.length) {
    return { status: 'data_required', reasons: [`It needs ${profile.shots} worked examples and this version was imported with ${shots.length}. Import it again together with its training file.`] }
  }
  return ready
}

export function describeProfile(benchmark: StoredBenchmark, version: StoredVersion, entry: StoredVersion['profiles'][number]): Profile {
  return {
    ...profileFields(entry.definition),
    id: entry.id,
    slug: benchmark.definition.slug,
    source_ref: version.record.source_ref,
    runner: benchmark.definition.runner,
    task_count: version.record.task_counts[entry.definition.split] ?? 0,
    prompt_digest: entry.promptDigest,
    quote_availability: availabilityOf(benchmark, entry.definition, version.shots),
  }
}

/** What of a profile does not depend on a version. */
export function profileFields(definition: ProfileDefinition) {
  return {
    title: definition.title,
    summary: definition.summary,
    split: definition.split,
    shots: definition.shots,
    system_prompt: definition.systemPrompt,
    prompt_template: definition.promptTemplate,
    generation: definition.generation,
    metrics: [...definition.metrics],
    requires: [...definition.requires],
    chance_level: definition.chanceLevel,
  }
}

/** The readiest of several. */
export function bestAvailability(profiles: readonly Pick<Profile, 'quote_availability'>[]): QuoteAvailability {
  const order = ['ready_for_quote', 'data_required', 'runner_unavailable', 'quarantined', 'retired']
  const sorted = profiles.map(profile => profile.quote_availability).sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return sorted[0] ?? { status: 'data_required', reasons: ['It has no profiles.'] }
}

/** @param recipe what asks for more data, where a recipe does */
export function describeBenchmark(benchmark: StoredBenchmark, recipe: BenchmarkDetail['recipe']): BenchmarkDetail {
  const { definition, versions } = benchmark
  const profiles = versions.flatMap(version => version.profiles.map(entry => describeProfile(benchmark, version, entry)))
  const latest = versions[0]
  const ofLatest = profiles.filter(profile => profile.source_ref === latest?.record.source_ref)
  return {
    ...definitionFields(definition),
    status: benchmark.status,
    origin: benchmark.origin,
    latest_version: latest?.record ?? null,
    quote_availability: bestAvailability(ofLatest),
    profile_ids: ofLatest.map(profile => profile.id),
    recipe,
    versions: versions.map(version => version.record),
    profiles,
  }
}

export function definitionFields(definition: StoredDefinition) {
  const { slug, provider, name, title, summary, runner, capabilities, licence, description, howMade, knownLimits, citation, homepage } = definition
  return { slug, provider, name, title, summary, runner, capabilities, licence, description, how_made: howMade, known_limits: knownLimits, citation, homepage }
}

/** The listing's view of a detail. */
export function toListed(detail: BenchmarkDetail): Benchmark {
  const { description: _d, how_made: _h, known_limits: _k, citation: _c, homepage: _p, recipe: _r, versions: _v, profiles: _s, ...listed } = detail
  return listed
}
