import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { api } from '../contract/api.ts'
import { annotationsEndpoints } from '../contract/annotations/annotations.endpoints.ts'
import { answersEndpoints } from '../contract/answers/answers.endpoints.ts'
import { backupsEndpoints } from '../contract/backups/backups.endpoints.ts'
import { billingEndpoints } from '../contract/billing/billing.endpoints.ts'
import { catalogEndpoints } from '../contract/catalog/catalog.endpoints.ts'
import { comparisonsEndpoints } from '../contract/comparisons/comparisons.endpoints.ts'
import { connectionsEndpoints } from '../contract/connections/connections.endpoints.ts'
import { namespacesEndpoints } from '../contract/creator/namespaces.endpoints.ts'
import { packagesEndpoints } from '../contract/creator/packages.endpoints.ts'
import { datasetsEndpoints } from '../contract/datasets/datasets.endpoints.ts'
import { datasetVersionsEndpoints } from '../contract/datasets/dataset-versions.endpoints.ts'
import { datasetSourcesEndpoints } from '../contract/datasets/dataset-sources.endpoints.ts'
import { evaluationsEndpoints } from '../contract/evaluations/evaluations.endpoints.ts'
import { evaluatorsEndpoints } from '../contract/evaluators/evaluators.endpoints.ts'
import { datasetBenchmarksEndpoints } from '../contract/evaluators/dataset-benchmarks.endpoints.ts'
import { remoteScorersEndpoints } from '../contract/evaluators/remote-scorers.endpoints.ts'
import { feedbackEndpoints } from '../contract/feedback/feedback.endpoints.ts'
import { jobsEndpoints } from '../contract/jobs/jobs.endpoints.ts'
import { installationEndpoints } from '../contract/installation/installation.endpoints.ts'
import { keysEndpoints } from '../contract/keys/keys.endpoints.ts'
import { localModelsEndpoints } from '../contract/local-models/local-models.endpoints.ts'
import { itemsEndpoints } from '../contract/items/items.endpoints.ts'
import { retentionEndpoints } from '../contract/retention/retention.endpoints.ts'
import { mediaEndpoints } from '../contract/media/media.endpoints.ts'
import { metaEndpoints } from '../contract/meta/meta.endpoints.ts'
import { networkEndpoints } from '../contract/network/network.endpoints.ts'
import { quotesEndpoints } from '../contract/quotes/quotes.endpoints.ts'
import { releasesEndpoints } from '../contract/releases/releases.endpoints.ts'
import { runGroupsEndpoints } from '../contract/run-groups/run-groups.endpoints.ts'
import { runChangesEndpoints } from '../contract/runs/run-changes.endpoints.ts'
import { runReportsEndpoints } from '../contract/runs/run-reports.endpoints.ts'
import { recommendationsEndpoints } from '../contract/recommendations/recommendations.endpoints.ts'
import { runsEndpoints } from '../contract/runs/runs.endpoints.ts'
import { schedulesEndpoints } from '../contract/schedules/schedules.endpoints.ts'
import { sessionsEndpoints } from '../contract/sessions/sessions.endpoints.ts'
import { storageEndpoints } from '../contract/storage/storage.endpoints.ts'
import { suitesEndpoints } from '../contract/suites/suites.endpoints.ts'
import { traceIntegrationsEndpoints } from '../contract/traces/integrations.endpoints.ts'
import { tracesEndpoints } from '../contract/traces/traces.endpoints.ts'
import { tuneGroupsEndpoints } from '../contract/tuning/groups.endpoints.ts'
import { tuneMonitorsEndpoints } from '../contract/tuning/monitors.endpoints.ts'
import { tuneSessionsEndpoints } from '../contract/tuning/sessions.endpoints.ts'
import { webhooksEndpoints } from '../contract/webhooks/webhooks.endpoints.ts'
import { worldsEndpoints } from '../contract/worlds/worlds.endpoints.ts'
import { workersEndpoints } from '../contract/workers/workers.endpoints.ts'
import { workspaceEndpoints } from '../contract/workspace/workspace.endpoints.ts'
import { annotationsHandlers, createAnnotations } from './annotations/index.ts'
import { answersHandlers, createAnswers } from './answers/index.ts'
import { createIdentityProver } from './auth/index.ts'
import { backupsHandlers, createBackups, oldestBackupAt } from './backups/index.ts'
import { billingHandlers, billingPages, createPurchases } from './billing/index.ts'
import { catalogHandlers, createCatalogService, createImports, missingBenchmarks } from './catalog/index.ts'
import { comparisonsHandlers, createComparisons } from './comparisons/index.ts'
import { connectionsHandlers, createConnections } from './connections/index.ts'
import { createNamespaces, createPackages, namespacesHandlers, packagesHandlers } from './creator/index.ts'
import { createDatasets, createRunSource, datasetsHandlers, datasetSourcesHandlers, datasetVersionsHandlers } from './datasets/index.ts'
import { createEvaluations, evaluationsHandlers } from './evaluations/index.ts'
import { createEvaluators, datasetBenchmarksHandlers, evaluatorsHandlers, remoteScorersHandlers } from './evaluators/index.ts'
import { createDemo } from './demo/index.ts'
import { createFeedback, feedbackHandlers, serveFeedbackGuide } from './feedback/index.ts'
import { mount } from './http/mount.ts'
import { openApiDocumentOf } from './http/openapi.ts'
import { serveReference } from './http/reference.ts'
import { installNotFound } from './http/server.ts'
import { serveUi } from './http/ui.ts'
import { createJobs, jobsHandlers } from './jobs/index.ts'
import { createInstallation, installationHandlers } from './installation/index.ts'
import type { Kernel } from './kernel.ts'
import { createLocalModels, localModelsHandlers } from './local-models/index.ts'
import { createKeys, keysHandlers } from './keys/index.ts'
import { createMedia, mediaHandlers } from './media/index.ts'
import { serveMcp } from './mcp/serve-mcp.ts'
import { serveAgentGuide } from './meta/agent-guide.ts'
import { serveExamples } from './meta/examples/index.ts'
import { serveGuide } from './meta/guide.ts'
import { metaHandlers } from './meta/meta.handlers.ts'
import { createNetworkLog, createProxyChoice, networkHandlers } from './network/index.ts'
import { createQuotes, quotesHandlers } from './quotes/index.ts'
import { createRunGroups, runGroupsHandlers } from './run-groups/index.ts'
import { createOutageStore, createRuns, runChangesHandlers, runReportsHandlers, runsHandlers, teamRuns } from './runs/index.ts'
import { createRecommendations, recommendationsHandlers } from './recommendations/index.ts'
import { createReleases, releasesHandlers } from './releases/index.ts'
import { createSchedules, schedulesHandlers } from './schedules/index.ts'
import { createSessions, type Sessions, sessionsHandlers } from './sessions/index.ts'
import { createStorage, storageHandlers } from './storage/index.ts'
import { createSuites, missingSuites, suitesHandlers } from './suites/index.ts'
import { seedCatalog } from './lifecycle/catalog-seeding.ts'
import { createTraceIntegrations, createTraceSources, traceIntegrationsHandlers, tracesHandlers } from './traces/index.ts'
import {
  createTuneGroups,
  createTuneMonitors,
  createTuneSessions,
  tuneGroupsHandlers,
  tuneMonitorsHandlers,
  tuneSessionsHandlers,
} from './tuning/index.ts'
import { createRegistry, createWorkerKeys, openTeam, workersHandlers } from './workers/index.ts'
import { itemsHandlers } from './items/index.ts'
import { createRetention, retentionHandlers } from './retention/index.ts'
import { createWebhooks, webhooksHandlers } from './webhooks/index.ts'
import { createWorlds, worldsHandlers } from './worlds/index.ts'
import { createMembers, createWorkspaces, workspaceHandlers } from './workspace/index.ts'
import { createLimiters } from '../engine/execution/scheduler/limiters.ts'
import { createWorkers } from '../workers/pool.ts'

/** The composed product, before it listens. */
export interface App {
  readonly sessions: Sessions
  /** Starts background work: unfinished runs and imports, backups that are due. */
  start(): void
  close(): Promise<void>
}

/** Puts the features together: each gets the kernel and the interfaces of the features it depends on. */
export async function createApp(kernel: Kernel, http: FastifyInstance): Promise<App> {
  const address = () => kernel.accessPolicy().publicUrl
  const registry = createRegistry(kernel)
  const { queue } = kernel.config
  const team = queue === undefined ? null : await openTeam(kernel, { url: queue, registry, runs: teamRuns(kernel) })
  const workers = createWorkers(kernel.db.path, team?.route, kernel.host.startProcess)
  const jobs = createJobs(kernel)
  const sessions = createSessions(kernel)
  const installation = createInstallation(kernel)
  const proxy = createProxyChoice(kernel)
  const network = createNetworkLog(kernel, proxy.inUse)
  const localModels = createLocalModels(kernel, { jobs, network, workers })
  const media = createMedia(kernel, { jobs, oldestBackupAt: () => oldestBackupAt(kernel.config.dataDir) })
  const connections = createConnections(kernel, network, team, media.source, localModels)
  const catalog = createCatalogService(kernel, workers, workspaceId => connections.routes(workspaceId).map(({ route }) => route))
  const imports = createImports(kernel, { jobs, workers, network, media })
  const limiters = createLimiters({
    monotonic: () => performance.now(),
    now: () => kernel.clock.now().getTime(),
    random: Math.random,
    sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    outages: createOutageStore(kernel.db, kernel.storage.attempt),
  })
  const datasets = createDatasets(kernel, { jobs, workers })
  const evaluators = createEvaluators(kernel, { connections, datasets, jobs, limiters, network, workers })
  const quotes = createQuotes(kernel, { catalog, connections, evaluators, media, workers })
  const runs = createRuns(kernel, { catalog, connections, evaluators, jobs, limiters, media: media.source, quotes, workers, team })
  const tuneSessions = createTuneSessions(kernel, { evaluators, jobs, runs, catalog, media })
  const tuneGroups = createTuneGroups(kernel, { sessions: tuneSessions, catalog, connections, evaluators, quotes, runs, jobs })
  const answers = createAnswers(kernel, { catalog, quotes, runs, jobs, workers })
  const createdPackages = createPackages(kernel, { catalog, jobs, workers })
  const storage = createStorage(kernel, workers, jobs)
  const suites = createSuites(kernel)
  const seeding = seedCatalog(kernel, () => [...missingBenchmarks(kernel), ...missingSuites(kernel)])
  const evaluations = createEvaluations(kernel, { catalog, connections, quotes, runs, suites })
  const comparisons = createComparisons(kernel, { runs, evaluations, evaluators, workers })
  const releases = createReleases(kernel, { suites, catalog, connections, datasets, evaluations, evaluators, runs, jobs, workers })
  const integrations = createTraceIntegrations(kernel, { network, workers: workers.traces, jobs })
  const traceSources = createTraceSources(kernel, { integrations, datasets, workers: workers.traces })
  const monitors = createTuneMonitors(kernel, {
    sessions: tuneSessions,
    evaluators,
    quotes,
    runs,
    comparisons,
    jobs,
    traceWorkers: workers.traces,
    catalog,
    connections,
  })
  const runGroups = createRunGroups(kernel, { comparisons, quotes, runs })
  const schedules = createSchedules(kernel, { catalog, connections, groups: runGroups, runs })
  const webhooks = createWebhooks(kernel, {
    network,
    scores: runs.scores,
    scheduleBudgets: schedules.budgets,
    monitorBudgets: monitors.budgets,
  })
  runs.onEnded(webhooks.look)
  const backups = createBackups(kernel, { jobs, workers, runsUnderWay: runs.underWay })

  kernel.secrets.add(connections.secretValues)
  kernel.secrets.add(integrations.secretValues)

  const document = openApiDocumentOf(api)
  mount(http, kernel, metaEndpoints, metaHandlers(document, kernel.storage, runs.paused, storage.lostChanges, createIdentityProver(kernel)))
  mount(http, kernel, sessionsEndpoints, sessionsHandlers(sessions, address))
  const workspaces = createWorkspaces(kernel, installation)
  const members = createMembers(kernel, { sessions, installation, baseUrl: address })
  const demo = createDemo(kernel, { http, jobs, runs, sessions, workspaces })
  mount(http, kernel, workspaceEndpoints, workspaceHandlers(workspaces, members, sessions, demo))
  mount(http, kernel, installationEndpoints, installationHandlers(kernel, installation, sessions, address))
  mount(http, kernel, keysEndpoints, keysHandlers(createKeys(kernel)))
  mount(http, kernel, billingEndpoints, billingHandlers(kernel, createPurchases(kernel)), billingPages)
  mount(http, kernel, feedbackEndpoints, feedbackHandlers(createFeedback(kernel)))
  mount(http, kernel, backupsEndpoints, backupsHandlers(backups, installation))
  mount(http, kernel, localModelsEndpoints, localModelsHandlers(localModels, installation))
  mount(http, kernel, mediaEndpoints, mediaHandlers(media))
  mount(http, kernel, networkEndpoints, networkHandlers(network, proxy, installation))
  mount(http, kernel, datasetsEndpoints, datasetsHandlers(datasets))
  mount(http, kernel, datasetVersionsEndpoints, datasetVersionsHandlers(datasets))
  mount(http, kernel, traceIntegrationsEndpoints, traceIntegrationsHandlers(integrations))
  mount(http, kernel, tracesEndpoints, tracesHandlers(kernel, workers.traces, traceSources))
  mount(http, kernel, datasetSourcesEndpoints, datasetSourcesHandlers(datasets, createRunSource({ runs, examples: datasets.examples })))
  mount(http, kernel, jobsEndpoints, jobsHandlers(jobs, installation))
  mount(http, kernel, itemsEndpoints, itemsHandlers(kernel))
  const retention = createRetention(kernel)
  mount(http, kernel, retentionEndpoints, retentionHandlers(retention))
  mount(http, kernel, webhooksEndpoints, webhooksHandlers(webhooks))
  mount(http, kernel, workersEndpoints, workersHandlers({ registry, team, keys: createWorkerKeys(kernel, registry, connections), network }))
  mount(http, kernel, evaluatorsEndpoints, evaluatorsHandlers(evaluators, datasets))
  mount(http, kernel, remoteScorersEndpoints, remoteScorersHandlers(evaluators.remoteScorers))
  // Whatever looks at benchmarks or suites waits until those that ship with Assay are there.
  await http.register(async scope => {
    scope.addHook('preHandler', async () => {
      await seeding.pending()
    })
    mount(scope, kernel, catalogEndpoints, catalogHandlers(catalog, imports))
    mount(
      scope,
      kernel,
      worldsEndpoints,
      worldsHandlers(createWorlds(kernel, { workers, jobs, records: evaluators.records, writers: evaluators.writers, datasets })),
    )
    mount(scope, kernel, datasetBenchmarksEndpoints, datasetBenchmarksHandlers(evaluators))
    mount(scope, kernel, connectionsEndpoints, connectionsHandlers(connections))
    mount(scope, kernel, quotesEndpoints, quotesHandlers(quotes))
    mount(scope, kernel, answersEndpoints, answersHandlers(answers))
    mount(scope, kernel, runsEndpoints, runsHandlers(runs))
    mount(scope, kernel, runChangesEndpoints, runChangesHandlers(runs))
    mount(scope, kernel, runReportsEndpoints, runReportsHandlers(runs))
    mount(scope, kernel, runGroupsEndpoints, runGroupsHandlers(runGroups))
    mount(scope, kernel, schedulesEndpoints, schedulesHandlers(schedules))
    mount(scope, kernel, annotationsEndpoints, annotationsHandlers(createAnnotations(kernel, { runs })))
    mount(scope, kernel, packagesEndpoints, packagesHandlers(createdPackages))
    mount(scope, kernel, namespacesEndpoints, namespacesHandlers(createNamespaces(kernel)))
    mount(scope, kernel, suitesEndpoints, suitesHandlers(suites))
    mount(scope, kernel, evaluationsEndpoints, evaluationsHandlers(evaluations))
    mount(scope, kernel, comparisonsEndpoints, comparisonsHandlers(comparisons))
    mount(scope, kernel, releasesEndpoints, releasesHandlers(releases))
    mount(
      scope,
      kernel,
      recommendationsEndpoints,
      recommendationsHandlers(createRecommendations(kernel, { catalog, connections, workers })),
    )
    mount(scope, kernel, tuneSessionsEndpoints, tuneSessionsHandlers(tuneSessions))
    mount(scope, kernel, tuneGroupsEndpoints, tuneGroupsHandlers(tuneGroups))
    mount(scope, kernel, tuneMonitorsEndpoints, tuneMonitorsHandlers(monitors))
    mount(scope, kernel, storageEndpoints, storageHandlers(storage, installation))
  })
  serveReference(http, api, document)
  serveFeedbackGuide(http)
  serveAgentGuide(http)
  serveExamples(http)
  serveGuide(http)
  const closeMcp = serveMcp(http, kernel)
  const page = kernel.config.rendererDir === null ? () => null : await serveUi(http, kernel.config.rendererDir)
  installNotFound(http, kernel, api, page)

  return {
    sessions,
    start: () => {
      seeding.start()
      datasets.start()
      createdPackages.start()
      jobs.start(() => runs.underWay() > runs.paused())
      runs.start()
      releases.start()
      backups.start()
      storage.start()
      media.start()
      integrations.start()
      monitors.start()
      schedules.start()
      webhooks.start()
      retention.start()
    },
    close: async () => {
      await runs.drain(kernel.config.stopGraceMs ?? 0)
      await closeMcp()
      monitors.close()
      await schedules.close()
      await webhooks.close()
      await retention.close()
      integrations.close()
      await jobs.close()
      await datasets.close()
      await seeding.close()
      await backups.close()
      const stopped = runs.close()
      team?.abandon()
      await stopped
      await team?.close()
      storage.close()
      media.close()
      await localModels.close()
      await workers.close()
      network.close()
    },
  }
}
