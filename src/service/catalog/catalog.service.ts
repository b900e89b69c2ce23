import type { Benchmark, BenchmarkDetail, QuoteAvailability } from '../../contract/catalog/benchmarks.schemas.ts'
import type { Environment, EnvironmentDetail } from '../../contract/catalog/environments.schemas.ts'
import type { ExecutionOptions, ModelRoute } from '../../contract/catalog/models.schemas.ts'
import { ApiError, notFound, requireFound } from '../../contract/errors.ts'
import { type MissingSandbox, runsCode } from './availability.ts'
import type { ProfileDefinition } from '../../engine/tasks/definition.ts'
import type { Recipe } from '../../engine/importing/recipes/recipe.ts'
import { findRecipe, recipes } from '../../engine/importing/recipes/recipes.ts'
import { shotsOf } from '../../engine/content/benchmarks/prompt-digest.ts'
import { parseAlias, profileId } from '../../engine/content/benchmarks/source-ref.ts'
import { missingSandbox, type SandboxReport } from '../../engine/grading/sandbox/open-sandbox.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { Shot } from '../../engine/tasks/task.ts'
import type { Database } from '../../storage/database.ts'
import type { Filing } from '../../storage/reads/filed-items.ts'
import { decodeCursor, type Listing, type PageQuery, toPage } from '../../storage/keyset.ts'
import { relatedWords } from '../../lib/related-words.ts'
import { messageOf } from '../../lib/message-of.ts'
import { endSentence } from '../../lib/format/end-sentence.ts'
import type { Workers } from '../../workers/pool.ts'
import type { TaskSearch } from '../../workers/task-search.worker.ts'
import { createExportFiles } from '../export-files.ts'
import type { FileReply } from '../http/handler.ts'
import type { Kernel } from '../kernel.ts'
import { filedBenchmarks, fullProfile, readAhead, type StoredBenchmark, visibleBenchmarks } from './benchmarks.store.ts'
import type { Catalog, CatalogProfile } from './catalog.types.ts'
import { describeBenchmark, describeProfile, describeRecipe, describeRecipeProfile, toListed } from './describe-benchmark.ts'
import { environmentSlugs, isQuestionBenchmark, listEnvironments, readEnvironment } from './environments.ts'
import { executionOptions } from './execution-options.ts'
import { findRoute, listRoutes, type OwnRoutes, type RoutesQuery } from './model-routes.ts'
import { findVersion, listTasks, loadTasks, taskIds, type TasksQuery } from './tasks.store.ts'
import { dropStaging } from './versions.store.ts'

interface BenchmarksQuery extends Filing, PageQuery {
  readonly q: string
  readonly runner?: Benchmark['runner'] | undefined
  readonly capability?: string | undefined
  readonly status?: Benchmark['status'] | undefined
  readonly model?: string | undefined
}

/** Searches in tasks whose hits are kept in memory. */
const rememberedSearches = 8

const checking = {
  status: 'checking',
  reason: 'Its tasks run code. Assay is checking whether this computer can run code safely. Look again in a few seconds.',
} as const

const uncheckable = (failure: string) =>
  ({
    status: 'runner_unavailable',
    reason: `Its tasks run code, and the check whether this computer can run code safely failed: ${endSentence(failure)} Ask again to have it repeated.`,
  }) as const

/** The catalog as its own handlers use it; other features see `Catalog`. */
export interface CatalogService extends Catalog {
  listBenchmarks(workspaceId: string, query: BenchmarksQuery): { items: Benchmark[]; next_cursor: string | null }
  benchmark(workspaceId: string, slug: string): BenchmarkDetail
  /** The Croissant description of a version; the latest when none is named. */
  exportBenchmark(workspaceId: string, slug: string, version: string | undefined): Promise<FileReply>
  listTasks(
    workspaceId: string,
    query: TasksQuery & Omit<TaskSearch, 'versionNo'> & { readonly source_ref: string },
  ): Promise<ReturnType<typeof tasksPage>>
  listModels(
    workspaceId: string,
    query: RoutesQuery & { readonly benchmark?: string | undefined },
  ): { items: ModelRoute[]; next_cursor: string | null }
  executionOptions(): ExecutionOptions
  environmentSlugs(workspaceId: string): string[]
  /** Reads what lists need of each version in a turn of its own. */
  readAhead(workspaceId: string): Promise<void>
  listEnvironments(workspaceId: string, query: PageQuery): { items: Environment[]; next_cursor: string | null }
  environment(workspaceId: string, family: string): EnvironmentDetail
}

export function createCatalogService(
  kernel: Pick<Kernel, 'db' | 'log'> & { readonly config: Pick<Kernel['config'], 'dataDir'> },
  workers: Pick<Workers, 'croissant' | 'scoringThreads' | 'sandbox' | 'searchTasks'>,
  ownRoutes: OwnRoutes,
): CatalogService {
  const { db } = kernel
  dropStaging(db)

  let sandboxes: SandboxReport | null = null
  /** Why the last check failed; null where it did not. */
  let failure: string | null = null
  const noSandbox: MissingSandbox = languages => {
    if (!sandboxes) return languages.length === 0 ? null : failure === null ? checking : uncheckable(failure)
    const reason = missingSandbox(sandboxes, languages)
    return reason === null ? null : { status: 'runner_unavailable', reason }
  }
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
    return describeRecipe(requireFound(recipe, 'benchmark', slug), noSandbox)
  }
  const files = createExportFiles(kernel.config.dataDir)
  const searchTasks = rememberSearches(workers)

  return {
    ready: async (workspaceId, of) => {
      await readAhead(db, workspaceId, of?.map(slugOf))
      if (of?.some(id => mayRunCode(workspaceId, slugOf(id))) === false) return
      try {
        sandboxes = await workers.sandbox()
        failure = null
      } catch (error) {
        failure = messageOf(error)
        kernel.log.warn({ err: error }, 'it could not be checked whether code can be run safely')
      }
    },
    profile: (workspaceId, id) => {
      const slug = slugOf(id)
      return findProfile(db, visibleBenchmarks(db, workspaceId, slug), id, noSandbox) ?? findRecipeProfile(findRecipe(slug), id, noSandbox)
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
    listTasks: async (workspaceId, { source_ref, q, match, ...query }) => {
      const version = requireFound(findVersion(db, workspaceId, parseAlias(source_ref) ?? { sourceRef: source_ref }), 'source', source_ref)
      const found = await searchTasks({ versionNo: version.no, q, match })
      return tasksPage(listTasks(db, version, query, found), version.source_ref, query)
    },
    listModels: (workspaceId, query) => {
      const benchmark = query.benchmark === undefined ? null : everything(workspaceId).find(b => b.slug === query.benchmark)
      const needs = benchmark === null ? null : (benchmark?.profiles.map(profile => profile.requires) ?? [])
      return listRoutes(ownRoutes(workspaceId), query, needs, query.benchmark)
    },
    executionOptions: () => executionOptions(workers.scoringThreads, sandboxes?.tiers ?? []),
    environmentSlugs: workspaceId => environmentSlugs(db, workspaceId),
    readAhead: workspaceId => readAhead(db, workspaceId),
    listEnvironments: (workspaceId, query) => listEnvironments(db, workspaceId, noSandbox, query),
    environment: (workspaceId, family) => readEnvironment(db, workspaceId, noSandbox, family),
  }
}

/** Tasks of a version never change, and a search is read page by page. */
function rememberSearches({ searchTasks }: Pick<Workers, 'searchTasks'>) {
  const known = new Map<string, ReturnType<typeof searchTasks>>()
  return async (search: TaskSearch): Promise<readonly number[] | null> => {
    if (search.q.trim() === '') return null
    const key = JSON.stringify(search)
    const found = known.get(key) ?? searchTasks(search)
    known.delete(key)
    known.set(key, found)
    // One that failed is made again.
    found.catch(() => known.delete(key))
    const [oldest] = known.keys()
    if (known.size > rememberedSearches && oldest !== undefined) known.delete(oldest)
    return found
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

function findProfile(
  db: Database,
  candidates: readonly StoredBenchmark[],
  wanted: string,
  noSandbox: MissingSandbox,
): CatalogProfile | null {
  for (const benchmark of candidates) {
    for (const version of benchmark.versions) {
      const entry = version.profiles.find(
        ({ id, definition }) => id === wanted || profileId(benchmark.definition.slug, null, definition.key) === wanted,
      )
      if (!entry) continue
      // Its caller keeps it, however large it is and whatever is deleted meanwhile.
      let full: ProfileDefinition | null = null
      return {
        profile: describeProfile(benchmark, version, entry, findRecipe(benchmark.definition.slug), noSandbox),
        get definition() {
          full ??= entry.definition.environment?.world ? fullProfile(db, version, entry.id) : entry.definition
          return full
        },
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
