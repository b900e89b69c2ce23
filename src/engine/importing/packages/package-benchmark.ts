import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { PackageManifest } from '../../../contract/creator/manifest.schemas.ts'
import { codeScorers } from '../../grading/scorers/code/code-scorers.ts'
import { scorers } from '../../grading/scorers/registry.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import type { OpenedPackage } from './open-package.ts'
import { worldProfiles } from './package-world.ts'

/** The slug of a package's benchmark: its profiles are `<namespace>.<name>@<version>:<profile>`. */
export function packageSlug({ namespace, name }: Pick<PackageManifest, 'namespace' | 'name'>): string {
  return `${namespace}.${name}`
}

type Profile = PackageManifest['profiles'][number]

/** @param chanceOf a profile, computed from its tasks; null where it is not needed */
export function packageBenchmark(
  { manifest, world }: Pick<OpenedPackage, 'manifest' | 'world'>,
  chanceOf: (profile: Profile) => number | null,
): BenchmarkDefinition {
  return {
    slug: packageSlug(manifest),
    provider: manifest.namespace,
    name: manifest.name,
    title: manifest.title,
    summary: manifest.summary,
    description: manifest.summary,
    howMade: `A package of the namespace "${manifest.namespace}", by ${manifest.creators.map(({ name }) => name).join(', ')}.`,
    knownLimits: manifest.derived_from.map(source => `Takes over tasks of ${source}.`),
    runner: manifest.runner,
    capabilities: manifest.capabilities,
    license: { name: manifest.license, url: null },
    citation: manifest.citation ?? null,
    homepage: manifest.homepage ?? null,
    profiles: world
      ? worldProfiles(world, packageSlug(manifest))
      : manifest.profiles.map(profile => ({
          key: profile.key,
          title: profile.title,
          summary: manifest.summary,
          split: profile.split,
          systemPrompt: profile.system_prompt ?? null,
          promptTemplate: profile.prompt_template,
          shotTemplate: profile.shots > 0 ? `${profile.prompt_template}\n{target}\n\n` : null,
          shots: profile.shots,
          generation: profile.generation,
          metrics: packageMetrics(profile),
          requires: ['chat'],
          chanceLevel: chanceOf(profile),
          breakdowns: [],
        })),
  }
}

/** The metrics of a profile, the first of them primary where none is said to be. */
export function packageMetrics({ metrics }: Pick<Profile, 'metrics'>): Metric[] {
  const primary = Math.max(
    0,
    metrics.findIndex(metric => metric.primary),
  )
  return metrics.map(({ id, title, scorer, options, binary }, i) => ({
    id,
    title: title ?? id,
    scorer,
    scorer_version: (scorers.get(scorer) ?? codeScorers.get(scorer))?.version ?? 1,
    options,
    binary,
    primary: i === primary,
  }))
}
