import type { FrozenProfile } from '../../contract/index.ts'

/** A profile by benchmark and setting, since "Zero-shot" alone says nothing of what was asked. */
export function profileName({ slug, title }: Pick<FrozenProfile, 'slug' | 'title'>): string {
  return title.startsWith(slug) ? title : `${slug}: ${title}`
}

/** Names of frozen profiles by id, for tables and lists that only hold the id. */
export function profileNames(profiles: readonly FrozenProfile[]): (profileId: string) => string {
  const names = new Map(profiles.map(profile => [profile.profile_id, profileName(profile)]))
  return id => names.get(id) ?? id
}
