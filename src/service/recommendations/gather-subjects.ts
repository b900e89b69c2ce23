import type { Benchmark, Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Subject } from '../../engine/reporting/recommendations/recommend.ts'
import type { CatalogService } from '../catalog/index.ts'
import type { SelectedModel } from '../quotes/index.ts'

/** A benchmark that an objective may be about: with a profile that all the models can run, or with the reason why there is none. */
export interface CatalogSubject extends Subject {
  readonly benchmark: Benchmark
  /** The one that an evaluation would use. */
  readonly profile: Profile | null
  readonly exclusion: { readonly code: string; readonly reason: string } | null
}

/** Every benchmark of the catalog, by slug. */
export function gatherSubjects(catalog: CatalogService, workspaceId: string, models: readonly SelectedModel[]): CatalogSubject[] {
  return everyBenchmark(catalog, workspaceId)
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .map(benchmark => {
      const entries = benchmark.profile_ids
        .flatMap(id => catalog.profile(workspaceId, id) ?? [])
        .filter(({ definition }) => !definition.only)
      const ready = entries.filter(({ profile }) => profile.quote_availability.status === 'ready_for_quote')
      const fitting = ready.find(({ profile }) => models.every(model => lacking(profile, model).length === 0))
      const version = fitting?.version
      return {
        benchmark,
        text: [benchmark.title, benchmark.summary, ...benchmark.capabilities].join('\n'),
        capabilities: benchmark.capabilities,
        profile: version ? fitting.profile : null,
        tasks: version ? { versionNo: version.no, split: fitting.profile.split, count: fitting.profile.task_count ?? 0 } : null,
        exclusion: version ? null : whyNot(benchmark, ready[0]?.profile, models),
      }
    })
}

function everyBenchmark(catalog: CatalogService, workspaceId: string): Benchmark[] {
  const found: Benchmark[] = []
  let cursor: string | undefined
  do {
    const page = catalog.listBenchmarks(workspaceId, { limit: 100, q: '', archived: 'false', cursor })
    found.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return found
}

function lacking(profile: Profile, model: SelectedModel): string[] {
  return profile.requires.filter(need => !model.capabilities.includes(need))
}

function whyNot(
  { title, quote_availability }: Benchmark,
  ready: Profile | undefined,
  models: readonly SelectedModel[],
): CatalogSubject['exclusion'] {
  if (!ready && quote_availability.status === 'ready_for_quote')
    return { code: 'profiles_of_parts', reason: `${title} has no profile that asks all of its tasks: choose its profiles yourself.` }
  if (!ready)
    return { code: quote_availability.status, reason: `${title} cannot be run now. ${quote_availability.reasons.join(' ')}`.trim() }
  const reasons = models.flatMap(model => {
    const needs = lacking(ready, model)
    return needs.length ? [`${model.snapshot.title} lacks ${needs.join(', ')}`] : []
  })
  return { code: 'model_capabilities', reason: `${title} needs what not every model has: ${reasons.join('; ')}.` }
}
