import type { Benchmark, BenchmarkDetail, QuoteAvailability } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Environment, EnvironmentDetail } from '../../contract/catalog/environments.schemas.ts'
import type { ExecutionOptions, ModelRoute } from '../../contract/catalog/models.schemas.ts'
import { ApiError, notFound } from '../../contract/errors.ts'
import { type MissingSandbox, runsCode } from './availability.ts'
import type { ProfileDefinition } from '../../engine/tasks/definition.ts'
import type { Recipe } from '../../engine/importing/recipes/recipe.ts'
import { findRecipe, recipes } from '../../engine/importing/recipes/recipes.ts'
import { shotsOf } from '../../engine/content/benchmarks/prompt-digest.ts'
import { parseAlias, profileId } from '../../engine/content/benchmarks/source-ref.ts'
import { missingSandbox, type SandboxReport } from '../../engine/grading/sandbox/open-sandbox.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { Shot } from '../../engine/tasks/task.ts'
import type { Filing } from '../../storage/reads/filed-items.ts'
import { decodeCursor, type Listing, toPage } from '../../storage/keyset.ts'
import { relatedWords } from '../../lib/related-words.ts'
import type { Workers } from '../../workers/pool.ts'
import { createExportFiles } from '../export-files.ts'
import type { FileReply } from '../http/handler.ts'
import type { Kernel } from '../kernel.ts'
import { filedBenchmarks, type StoredBenchmark, visibleBenchmarks } from './benchmarks.store.ts'
import type { Catalog, CatalogProfile } from './catalog.types.ts'
import { describeBenchmark, describeProfile, describeRecipe, describeRecipeProfile, toListed } from './describe-benchmark.ts'
import { environmentSlugs, type EnvironmentsQuery, isQuestionBenchmark, listEnvironments, readEnvironment } from './environments.ts'
import { executionOptions } from './execution-options.ts'
import { findRoute, listRoutes, type OwnRoutes, type RoutesQuery } from './model-routes.ts'
import { findVersion, listTasks, loadTasks, taskIds, type TasksQuery } from './tasks.store.ts'
import { dropStaging } from './versions.store.ts'

interface BenchmarksQuery extends Filing {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly q: string
  readonly runner?: Benchmark['runner'] | undefined
  readonly capability?: string | undefined
  readonly status?: Benchmark['status'] | undefined
  readonly model?: string | undefined
}

/** The catalog as its own handlers use it; other features see `Catalog`. */
export interface CatalogService extends Catalog {
  listBenchmarks(workspaceId: string, query: BenchmarksQuery): { items: Benchmark[]; next_cursor: string | null }
  benchmark(workspaceId: string, slug: string): BenchmarkDetail
  /** The Croissant description of a version; the latest when none is named. */
  exportBenchmark(workspaceId: string, slug: string, version: string | undefined): Promise<FileReply>
  listTasks(workspaceId: string, query: TasksQuery & { readonly source_ref: string }): ReturnType<typeof tasksPage>
  listModels(
    workspaceId: string,
    query: RoutesQuery & { readonly benchmark?: string | undefined },
  ): { items: ModelRoute[]; next_cursor: string | null }
  executionOptions(): ExecutionOptions
  environmentSlugs(workspaceId: string): string[]
  listEnvironments(workspaceId: string, query: EnvironmentsQuery): { items: Environment[]; next_cursor: string | null }
  environment(workspaceId: string, family: string): EnvironmentDetail
}

export function createCatalogService(
  kernel: Kernel,
  workers: Pick<Workers, 'croissant' | 'scoringThreads' | 'sandbox'>,
  ownRoutes: OwnRoutes,
): CatalogService {
  const { db } = kernel
  dropStaging(db)

  let sandboxes: SandboxReport = { tiers: [], chosen: { python: null, javascript: null } }
  const noSandbox: MissingSandbox = languages => missingSandbox(sandboxes, languages)
  const everything = (workspaceId: string): BenchmarkDetail[] => {
    const stored = visibleBenchmarks(db, workspaceId)
      .filter(isQuestionBenchmark)
      .map(benchmark => describeBenchmark(benchmark, findRecipe(benchmark.definition.slug), noSandbox))
    const known = new Set(stored.map(benchmark => benchmark.slug))
    const missing = recipes.filter(recipe => !known.has(recipe.definition.slug))
    return [...stored, ...missing.map(recipe => describeRecipe(recipe, noSandbox))]
  }
  const mayRunCode = (workspaceId: string, slug: string): boolean => {
    const stored = visibleBenchmarks(db, workspaceId, slug).flatMap(({ versions }) => versions.flatMap(version => version.profiles))
    const profiles = [...stored.map(({ definition }) => definition), ...(findRecipe(slug)?.definition.profiles ?? [])]
    return profiles.some(runsCode)
  }

  const benchmarkOf = (workspaceId: string, slug: string): BenchmarkDetail => {
    const [stored] = visibleBenchmarks(db, workspaceId, slug)
    const recipe = findRecipe(slug)
    if (stored) return describeBenchmark(stored, recipe, noSandbox)
    if (!recipe) throw notFound('benchmark', slug)
    return describeRecipe(recipe, noSandbox)
  }
  const files = createExportFiles(kernel.config.dataDir)

  return {
    ready: async (workspaceId, of) => {
      if (of === undefined || of.some(id => mayRunCode(workspaceId, slugOf(id)))) sandboxes = await workers.sandbox()
    },
    profile: (workspaceId, id) => {
      const slug = slugOf(id)
      return findProfile(visibleBenchmarks(db, workspaceId, slug), id, noSandbox) ?? findRecipeProfile(findRecipe(slug), id, noSandbox)
    },
    taskIds: (versionNo, scope) => taskIds(db, versionNo, scope),
    tasks: numbers => loadTasks(db, numbers),
    route: (workspaceId, routeId) => findRoute(ownRoutes(workspaceId), routeId),

    listBenchmarks: (workspaceId, query) => {
      const { cursor, limit, ...filters } = query
      const listing: Listing = { endpoint: 'listBenchmarks', filters: { workspaceId, ...filters } }
      const after = cursor === undefined ? null : decodeCursor(listing, cursor, 2)
      const capabilities = query.model === undefined ? null : (findRoute(ownRoutes(workspaceId), query.model)?.capabilities ?? [])
      const isListed = filedBenchmarks(db, workspaceId, query)
      const matching = everything(workspaceId)
        .filter(benchmark => isListed(benchmark.slug) && matches(benchmark, query, capabilities))
        .sort(byTitle)
        .filter(({ title, slug }) => after === null || title > String(after[0]) || (title === after[0] && slug > String(after[1])))
      return toPage(matching.slice(0, limit + 1), limit, listing, ({ title, slug }) => [title, slug], toListed)
    },
    benchmark: benchmarkOf,
    exportBenchmark: (workspaceId, slug, wanted) => {
      const benchmark = benchmarkOf(workspaceId, slug)
      const chosen = wanted === undefined ? benchmark.versions[0] : benchmark.versions.find(({ version }) => version === wanted)
      if (!chosen && wanted !== undefined) throw notFound('version', wanted)
      const stored = chosen && findVersion(db, workspaceId, { sourceRef: chosen.source_ref })
      if (!chosen || !stored)
        throw new ApiError('conflict', `The data of ${benchmark.title} is not imported, so there is nothing to describe. Import it first.`)
      return files.file({
        key: `benchmark-${stored.no}`,
        title: benchmark.title,
        suffix: `-${chosen.version}`,
        format: 'croissant',
        write: path => workers.croissant({ versionNo: stored.no, benchmark, version: chosen.version, path }),
      })
    },
    listTasks: (workspaceId, { source_ref, ...query }) => {
      const version = findVersion(db, workspaceId, parseAlias(source_ref) ?? { sourceRef: source_ref })
      if (!version) throw notFound('source', source_ref)
      return tasksPage(listTasks(db, version, query), version.source_ref, query)
    },
    listModels: (workspaceId, query) => {
      const benchmark = query.benchmark === undefined ? null : everything(workspaceId).find(b => b.slug === query.benchmark)
      const needs = benchmark === null ? null : (benchmark?.profiles.map(profile => profile.requires) ?? [])
      return listRoutes(ownRoutes(workspaceId), query, needs, query.benchmark)
    },
    executionOptions: () => executionOptions(workers.scoringThreads, sandboxes.tiers),
    environmentSlugs: workspaceId => environmentSlugs(db, workspaceId),
    listEnvironments: (workspaceId, query) => listEnvironments(db, workspaceId, noSandbox, query),
    environment: (workspaceId, family) => readEnvironment(db, workspaceId, noSandbox, family),
  }
}

/** The benchmark's part of a profile's id. */
function slugOf(id: string): string {
  return id.split(/[@:]/, 1)[0] ?? ''
}

function tasksPage({ items, total }: ReturnType<typeof listTasks>, sourceRef: string, { limit, offset }: TasksQuery) {
  const next = offset + items.length
  return { items, source_ref: sourceRef, total, limit, offset, next_offset: next < total && items.length > 0 ? next : null }
}

function findProfile(candidates: readonly StoredBenchmark[], wanted: string, noSandbox: MissingSandbox): CatalogProfile | null {
  for (const benchmark of candidates) {
    for (const version of benchmark.versions) {
      const entry = version.profiles.find(
        ({ id, definition }) => id === wanted || profileId(benchmark.definition.slug, null, definition.key) === wanted,
      )
      if (!entry) continue
      return {
        profile: describeProfile(benchmark, version, entry, findRecipe(benchmark.definition.slug), noSandbox),
        definition: entry.definition,
        status: version.status ?? benchmark.status,
        version: { no: version.no, digest: version.record.digest, sourceRef: version.record.source_ref, parts: version.record.parts },
        promptRecipe: promptRecipe(entry.definition, version.shots),
      }
    }
  }
  return null
}

/** A profile of a recipe whose data is missing: it can be read and not be run. */
function findRecipeProfile(recipe: Recipe | null, wanted: string, noSandbox: MissingSandbox): CatalogProfile | null {
  const definition = recipe?.definition.profiles.find(({ key }) => profileId(recipe.definition.slug, null, key) === wanted)
  if (!recipe || !definition) return null
  return {
    profile: describeRecipeProfile(recipe, definition, noSandbox),
    definition,
    version: null,
    status: 'active',
    promptRecipe: promptRecipe(definition, []),
  }
}

function promptRecipe(definition: ProfileDefinition, shots: readonly Shot[]): PromptRecipe {
  const { systemPrompt, introTemplate, promptTemplate, shotTemplate, shotsAs, shotsBy } = definition
  return { systemPrompt, introTemplate, promptTemplate, shotTemplate, shotsAs, shotsBy, shots: shotsOf(definition, shots) }
}

function matches(benchmark: BenchmarkDetail, query: BenchmarksQuery, model: readonly string[] | null): boolean {
  const text = `${benchmark.title} ${benchmark.summary} ${benchmark.slug} ${benchmark.capabilities.join(' ')}`.toLowerCase()
  return (
    query.q
      .toLowerCase()
      .split(/\s+/)
      .every(word => [word, ...relatedWords(word)].some(one => text.includes(one))) &&
    (query.runner === undefined || benchmark.runner === query.runner) &&
    (query.capability === undefined || benchmark.capabilities.includes(query.capability)) &&
    (query.status === undefined || benchmark.status === query.status) &&
    (model === null ||
      (isRunnable(benchmark.quote_availability) &&
        benchmark.profiles.some(profile => profile.requires.every(need => model.includes(need)))))
  )
}

function isRunnable({ status }: QuoteAvailability): boolean {
  return status === 'ready_for_quote'
}

function byTitle(a: BenchmarkDetail, b: BenchmarkDetail): number {
  return a.title === b.title ? (a.slug < b.slug ? -1 : 1) : a.title < b.title ? -1 : 1
}
