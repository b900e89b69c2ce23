import type { Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { useBenchmarkDetails } from './quotes.queries.ts'

export interface SelectedProfile {
  readonly id: string
  /** Absent until its benchmark is read, or where no such profile is known. */
  readonly profile: Profile | undefined
}

/** The profiles behind ids that may come from an address, read by their benchmarks, whether a search shows those or not. */
export function useSelectedProfiles(ids: readonly string[]): readonly SelectedProfile[] {
  const slugs = [...new Set(ids.map(benchmarkOfProfile))]
  const profiles = new Map(useBenchmarkDetails(slugs).flatMap(detail => detail.profiles.map(profile => [profile.id, profile])))
  return ids.map(id => ({ id, profile: profiles.get(id) }))
}

/** The slug of a profile’s benchmark, from `<slug>@<version>:<profile>` or without the version. */
export function benchmarkOfProfile(profileId: string): string {
  return profileId.split(/[@:]/)[0] ?? profileId
}
