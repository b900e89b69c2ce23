import type { Benchmark, BenchmarkDetail, Metric, Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { bestAvailability, type MissingSandbox, profileAvailability } from './availability.ts'
import type { BenchmarkDefinition, ProfileDefinition } from '../../engine/tasks/definition.ts'
import { promptDigest } from '../../engine/content/benchmarks/prompt-digest.ts'
import { fetchedFiles, type Recipe } from '../../engine/importing/recipes/recipe.ts'
import { profileId } from '../../engine/content/benchmarks/source-ref.ts'
import { codeScorers } from '../../engine/grading/scorers/code/code-scorers.ts'
import { scorers } from '../../engine/grading/scorers/registry.ts'
import type { StoredBenchmark, StoredVersion } from './benchmarks.store.ts'

/**
 * @param recipe that the benchmark came from, where it did
 */
export function describeBenchmark(benchmark: StoredBenchmark, recipe: Recipe | null, noSandbox: MissingSandbox): BenchmarkDetail {
  const { definition, versions } = benchmark
  const profiles = versions.map(version => version.profiles.map(entry => describeProfile(benchmark, version, entry, recipe, noSandbox)))
  const [ofLatest = []] = profiles
  return {
    ...definitionFields(definition),
    status: versions[0]?.status ?? benchmark.status,
    origin: benchmark.origin,
    latest_version: versions[0]?.record ?? null,
    quote_availability: bestAvailability(ofLatest.map(profile => profile.quote_availability)),
    profile_ids: ofLatest.map(profile => profile.id),
    recipe: recipe && recipeFields(recipe),
    versions: versions.map(version => version.record),
    profiles: profiles.flat(),
  }
}

export function describeProfile(
  benchmark: StoredBenchmark,
  version: StoredVersion,
  entry: StoredVersion['profiles'][number],
  recipe: Recipe | null,
  noSandbox: MissingSandbox,
): Profile {
  const { definition, promptDigest: digest, tasks } = entry
  const { runner, slug, title } = benchmark.definition
  return {
    ...profileFields(definition),
    id: entry.id,
    slug,
    benchmark_title: title,
    source_ref: version.record.source_ref,
    runner,
    task_count: tasks,
    prompt_digest: digest,
    quote_availability: profileAvailability(
      definition,
      version.status ?? benchmark.status,
      { tasks, shots: version.shots.length },
      recipe,
      noSandbox,
    ),
  }
}

/** A recipe's benchmark while the workspace has none of its data. */
export function describeRecipe(recipe: Recipe, noSandbox: MissingSandbox): BenchmarkDetail {
  const { definition } = recipe
  const profiles = definition.profiles.map(profile => describeRecipeProfile(recipe, profile, noSandbox))
  return {
    ...definitionFields(definition),
    status: 'active',
    origin: 'recipe',
    latest_version: null,
    quote_availability: bestAvailability(profiles.map(profile => profile.quote_availability)),
    profile_ids: profiles.map(profile => profile.id),
    recipe: recipeFields(recipe),
    versions: [],
    profiles,
  }
}

export function describeRecipeProfile(recipe: Recipe, profile: ProfileDefinition, noSandbox: MissingSandbox): Profile {
  const { slug, title, runner } = recipe.definition
  return {
    ...profileFields(profile),
    id: profileId(slug, null, profile.key),
    slug,
    benchmark_title: title,
    source_ref: null,
    runner,
    task_count: null,
    prompt_digest: digestWithoutShots(profile),
    quote_availability: profileAvailability(profile, 'active', null, recipe, noSandbox),
  }
}

/** Of recipes' profiles, which never change; a listing shows all of them. */
const digests = new WeakMap<ProfileDefinition, string>()

function digestWithoutShots(profile: ProfileDefinition): string {
  const known = digests.get(profile)
  if (known !== undefined) return known
  const digest = promptDigest(profile, [])
  digests.set(profile, digest)
  return digest
}

/** The listing's view of a detail. */
export function toListed(detail: BenchmarkDetail): Benchmark {
  const {
    description: _d,
    how_made: _h,
    known_limits: _k,
    citation: _c,
    homepage: _p,
    recipe: _r,
    versions: _v,
    profiles: _s,
    ...listed
  } = detail
  return listed
}

function definitionFields(definition: Omit<BenchmarkDefinition, 'profiles'>) {
  const { slug, provider, name, title, summary, runner, capabilities, license, description, howMade, knownLimits, citation, homepage } =
    definition
  return {
    slug,
    provider,
    name,
    title,
    summary,
    runner,
    description,
    citation,
    homepage,
    capabilities: [...capabilities],
    license: { ...license },
    how_made: howMade,
    known_limits: [...knownLimits],
  }
}

/** The part of a profile that does not depend on a version. */
function profileFields(definition: ProfileDefinition) {
  return {
    title: definition.title,
    summary: definition.summary,
    split: definition.split,
    shots: definition.shots,
    system_prompt: definition.systemPrompt,
    prompt_template: `${definition.introTemplate ?? ''}${definition.promptTemplate}`,
    generation: definition.generation,
    metrics: definition.metrics.map(withPresentVersion),
    requires: [...definition.requires],
    chance_level: definition.chanceLevel,
  }
}

/** A profile names its scorers; which version of them would score now is up to this build. */
function withPresentVersion(metric: Metric): Metric {
  return { ...metric, scorer_version: (scorers.get(metric.scorer) ?? codeScorers.get(metric.scorer))?.version ?? metric.scorer_version }
}

function recipeFields(recipe: Recipe): NonNullable<BenchmarkDetail['recipe']> {
  return {
    id: recipe.definition.slug,
    can_fetch: fetchedFiles(recipe).length > 0,
    files: recipe.files.map(({ role, required, fileName, url, download, sha256, purpose }) => ({
      role,
      required,
      file_name: fileName,
      url,
      download: download && { bytes: download.bytes, redirect_hosts: [...download.redirectHosts] },
      sha256,
      purpose,
    })),
  }
}
