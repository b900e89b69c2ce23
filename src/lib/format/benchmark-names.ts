interface Named {
  readonly slug: string
  /** Title of the profile. */
  readonly title: string
  /** Absent in records from before it was kept: the slug stands in. */
  readonly benchmark_title?: string | undefined
  /** What a run sets otherwise than the profile. */
  readonly changed?: readonly string[] | undefined
}

/**
 * A profile with its benchmark, since "Zero-shot" alone does not say what was measured, and what the run changes of it, since its score is
 * not the profile's: `GSM8K · Zero-shot (changed: temperature 0.7)`.
 */
export function profileName(profile: Named): string {
  const name = namesBenchmark(profile) ? profile.title : `${benchmarkTitle(profile)} · ${profile.title}`
  return profile.changed ? `${name} (${changedText(profile.changed)})` : name
}

function changedText(changed: readonly string[]): string {
  return `changed: ${changed.join(', ')}`
}

/** What was measured, as part of a run's name: `GSM8K (Zero-shot)`, `GSM8K (Zero-shot) and 2 more`. */
export function benchmarkName(profiles: readonly Named[]): string {
  const [first, ...others] = profiles
  if (!first) return 'no benchmark'
  const of = namesBenchmark(first) ? first.title : `${benchmarkTitle(first)} (${first.title})`
  const name = first.changed ? `${of}, ${changedText(first.changed)}` : of
  return others.length === 0 ? name : `${name} and ${others.length} more`
}

/** The benchmark alone, where the profile goes without saying. */
export function benchmarkTitle({ benchmark_title: title, slug }: Omit<Named, 'title'>): string {
  return title ?? slug
}

interface Measured {
  readonly model: { readonly title: string }
  readonly profiles: readonly Named[]
}

/** What a run is, whatever a person named it: `gpt-oss-20b on GSM8K (Zero-shot)`. */
export function measuredName({ model, profiles }: Measured): string {
  return `${model.title} on ${benchmarkName(profiles)}`
}

/** Some recipes give their profiles titles such as "GSM8K, 5-shot". */
function namesBenchmark(profile: Named): boolean {
  const title = profile.title.toLowerCase()
  return [benchmarkTitle(profile), profile.slug].some(name => title.startsWith(name.toLowerCase()))
}
