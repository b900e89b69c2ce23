interface Named {
  readonly slug: string
  readonly title: string
}

/** A profile with its benchmark, since "Zero-shot" alone does not say what was measured: `gsm8k · Zero-shot`. */
export function profileName({ slug, title }: Named): string {
  return namesBenchmark({ slug, title }) ? title : `${slug} · ${title}`
}

/** What was measured, as part of a run's name: `gsm8k (Zero-shot)`, `gsm8k (Zero-shot) and 2 more`. */
export function benchmarkName(profiles: readonly Named[]): string {
  const [first, ...others] = profiles
  if (!first) return 'no benchmark'
  const name = namesBenchmark(first) ? first.title : `${first.slug} (${first.title})`
  return others.length === 0 ? name : `${name} and ${others.length} more`
}

interface Measured {
  readonly model: { readonly title: string }
  readonly profiles: readonly Named[]
}

/** What a run is, whatever a person named it: `gpt-oss-20b on gsm8k (Zero-shot)`. */
export function measuredName({ model, profiles }: Measured): string {
  return `${model.title} on ${benchmarkName(profiles)}`
}

/** Some recipes give their profiles titles such as "GSM8K, 5-shot". */
function namesBenchmark({ slug, title }: Named): boolean {
  return title.toLowerCase().startsWith(slug.toLowerCase())
}
