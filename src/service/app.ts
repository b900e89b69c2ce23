import type { FastifyInstance } from 'fastify'
import type { Api } from '../contract/api.ts'
import type { metaEndpoints } from '../contract/meta/meta.endpoints.ts'
import { annotationsHandlers, createAnnotations } from './annotations/index.ts'
import { answersHandlers, createAnswers } from './answers/index.ts'
import type { Background } from './background.ts'
import { backupsHandlers, createBackups, oldestBackupAt } from './backups/index.ts'
import { billingHandlers, createPurchases } from './billing/index.ts'
import { catalogHandlers, createCatalogService, createImports, missingBenchmarks } from './catalog/index.ts'
import { comparisonsHandlers, createComparisons } from './comparisons/index.ts'
import { connectionsHandlers, createConnections } from './connections/index.ts'
import { createCreator } from './creator/index.ts'
import { createDatasets, datasetsHandlers } from './datasets/index.ts'
import { createEvaluations, evaluationsHandlers } from './evaluations/index.ts'
import { createEvaluators, datasetBenchmarksHandlers, evaluatorsHandlers } from './evaluators/index.ts'
import { createDemo } from './demo/index.ts'
import { createFeedback, feedbackHandlers } from './feedback/index.ts'
import type { Handlers } from './http/handler.ts'
import { createJobs, jobsHandlers } from './jobs/index.ts'
import type { Kernel } from './kernel.ts'
import { createLocalModels, localModelsHandlers } from './local-models/index.ts'
import { createMedia, mediaHandlers } from './media/index.ts'
import { createNetworkLog, createProxyChoice, networkHandlers } from './network/index.ts'
import { createQuotes, quotesHandlers } from './quotes/index.ts'
import { createRunGroups, runGroupsHandlers } from './run-groups/index.ts'
import { createRunLimiters, createRuns, runsHandlers, teamRuns } from './runs/index.ts'
import { createRecommendations, recommendationsHandlers } from './recommendations/index.ts'
import { createReleases, releasesHandlers } from './releases/index.ts'
import { createSchedules, schedulesHandlers } from './schedules/index.ts'
import type { Sessions } from './sessions/index.ts'
import { serve } from './serve.ts'
import { createStorage, storageHandlers } from './storage/index.ts'
import { createSuites, missingSuites, suitesHandlers } from './suites/index.ts'
import { seedCatalog } from './lifecycle/catalog-seeding.ts'
import { createTraces } from './traces/index.ts'
import { createTuning } from './tuning/index.ts'
import { openWorkers } from './workers/index.ts'
import { createItems } from './items/index.ts'
import { createRetention, retentionHandlers } from './retention/index.ts'
import { createWebhooks, webhooksHandlers } from './webhooks/index.ts'
import { createWorlds, worldsHandlers } from './worlds/index.ts'
import { createWorkspace } from './workspace/index.ts'
import { createWorkers } from '../workers/pool.ts'

/** The composed product, before it listens. */
export interface App {
  readonly sessions: Sessions
  /** By name, in the order of the start; they close in reverse. */
  readonly background: Readonly<Record<string, Background>>
}

/** Puts the features together: each gets the kernel and the interfaces of the features it depends on. */
export async function createApp(kernel: Kernel, http: FastifyInstance): Promise<App> {
  const { team, handlers: workersHandlers } = await openWorkers(kernel, teamRuns(kernel))
  const workers = createWorkers(kernel.db.path, team?.route, kernel.host.startProcess, error =>
    kernel.log.warn({ fault: error }, 'a sandbox was not cleared'),
  )
  const jobs = createJobs(kernel)
  const proxy = createProxyChoice(kernel)
  const network = createNetworkLog(kernel, proxy.inUse)
  const localModels = createLocalModels(kernel, { jobs, network, workers })
  const media = createMedia(kernel, { jobs, workers, oldestBackupAt: () => oldestBackupAt(kernel.config.dataDir) })
  const connections = createConnections(kernel, network, team, media.sourceOf, localModels)
  const catalog = createCatalogService(kernel, workers, workspaceId => connections.routes(workspaceId).map(({ route }) => route))
  const imports = createImports(kernel, { jobs, workers, network, media })
  const limiters = createRunLimiters(kernel)
  const datasets = createDatasets(kernel, { jobs, workers, media })
  const evaluators = createEvaluators(kernel, { connections, datasets, jobs, limiters, media, network, workers })
  const quotes = createQuotes(kernel, { catalog, connections, evaluators, media, workers })
  const runs = createRuns(kernel, { catalog, connections, evaluators, jobs, limiters, mediaOf: media.sourceOf, quotes, workers, team })
  const answers = createAnswers(kernel, {
    catalog,
    quotes,
    runs,
    jobs,
    workers,
    media,
    evaluators,
    network,
    keptDownloads: imports.keptDownloads,
  })
  const creator = createCreator(kernel, { catalog, jobs, workers, media })
  const storage = createStorage(kernel, workers, jobs)
  const suites = createSuites(kernel)
  const seeding = seedCatalog(kernel, () => [...missingBenchmarks(kernel), ...missingSuites(kernel)])
  const evaluations = createEvaluations(kernel, { catalog, quotes, runs, suites })
  const comparisons = createComparisons(kernel, { runs, evaluations, evaluators, workers })
  const releases = createReleases(kernel, { suites, catalog, connections, datasets, evaluations, evaluators, runs, jobs, workers })
  const traces = createTraces(kernel, { network, media, workers: workers.traces, jobs, datasets })
  const tuning = createTuning(kernel, { catalog, comparisons, connections, evaluators, jobs, media, quotes, runs, workers })
  const runGroups = createRunGroups(kernel, { comparisons, quotes, runs })
  const schedules = createSchedules(kernel, { connections, groups: runGroups, quotes, runs })
  const webhooks = createWebhooks(kernel, { network, runs, budgets: [schedules.budgets, tuning.budgets] })
  const annotations = createAnnotations(kernel, { runs })
  const backups = createBackups(kernel, { jobs, workers, runsUnderWay: runs.underWay })
  const workspace = createWorkspace(kernel, (workspaces, sessions) => createDemo(kernel, { http, jobs, runs, sessions, workspaces }))
  const { sessions, installation } = workspace
  const items = createItems(kernel, { runs, annotations, traceWorkers: workers.traces })
  const retention = createRetention(kernel)
  const worlds = createWorlds(kernel, { workers, jobs, records: evaluators.records, writers: evaluators.writers, datasets })

  /** Whatever looks at benchmarks or suites waits until those that ship with Assay are there. */
  const waiting = {
    ...catalogHandlers(catalog, imports),
    ...worldsHandlers(worlds),
    ...datasetBenchmarksHandlers(evaluators),
    ...connectionsHandlers(connections),
    ...quotesHandlers(quotes),
    ...answersHandlers(answers),
    ...runsHandlers(runs),
    ...runGroupsHandlers(runGroups),
    ...schedulesHandlers(schedules),
    ...annotationsHandlers(annotations),
    ...items.matching,
    ...creator.handlers,
    ...suitesHandlers(suites),
    ...evaluationsHandlers(evaluations),
    ...comparisonsHandlers(comparisons),
    ...releasesHandlers(releases),
    ...recommendationsHandlers(createRecommendations(kernel, { catalog, connections, workers })),
    ...tuning.handlers,
    ...storageHandlers(storage, installation),
  }
  const handlers: Omit<Handlers<Api>, keyof typeof metaEndpoints> = {
    ...workspace.handlers,
    ...billingHandlers(kernel, createPurchases(kernel)),
    ...feedbackHandlers(createFeedback(kernel)),
    ...backupsHandlers(backups, installation),
    ...localModelsHandlers(localModels, installation),
    ...mediaHandlers(media),
    ...networkHandlers(network, proxy, installation),
    ...datasetsHandlers(datasets, runs),
    ...traces.handlers,
    ...jobsHandlers(jobs, installation),
    ...items.handlers,
    ...retentionHandlers(retention),
    ...webhooksHandlers(webhooks),
    ...workersHandlers({ connections, network, media }),
    ...evaluatorsHandlers(evaluators, datasets),
    ...waiting,
  }
  const health = { pausedRuns: runs.paused, lostChanges: storage.lostChanges }
  const mcp = await serve(kernel, http, { handlers, health, before: id => (id in waiting ? seeding.pending : null) })

  return {
    sessions,
    background: {
      network,
      workers,
      localModels,
      ...(team ? { team } : {}),
      seeding,
      datasets,
      creator,
      // Runs that resume queue what no job is open for, so jobs are given up before, and end before their runs do.
      recovery: { start: () => jobs.start(() => runs.underWay() > runs.paused()) },
      runs,
      jobs: { close: jobs.close },
      releases,
      backups,
      storage,
      media,
      imports,
      traces,
      tuning,
      schedules,
      webhooks,
      retention,
      items,
      mcp,
      // Calls in flight end before anything else closes.
      drain: { close: runs.drain },
    },
  }
}
