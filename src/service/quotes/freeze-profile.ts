import type { FrozenCoverage, FrozenProfile } from '../../contract/quotes/quotes.schemas.ts'
import type { FrozenSelection } from './select-tasks.ts'

/** Which parts of its benchmark a profile covers. */
export function coveredParts({ profile, parts }: FrozenSelection): FrozenCoverage['parts'] {
  return parts
    ? [{ profile_id: profile.id, by: parts.by, present: parts.present.length, missing: parts.missing, complete: parts.complete }]
    : []
}

/** A profile as a quote keeps it. */
export function freezeProfile(s: FrozenSelection): FrozenProfile {
  return {
    profile_id: s.profile.id,
    title: s.profile.title,
    slug: s.profile.slug,
    benchmark_title: s.profile.benchmark_title,
    source_ref: s.sourceRef,
    version_digest: s.versionDigest,
    prompt_digest: s.profile.prompt_digest,
    split: s.definition.split,
    shots: s.promptRecipe.shots.length,
    generation: s.generation,
    ...(s.changed.length > 0 && { changed: [...s.changed] }),
    metrics: s.profile.metrics,
    chance_level: s.profile.chance_level,
    tasks_available: s.available,
    tasks_selected: s.tasks.length,
  }
}
