import { annotationsEndpoints } from './annotations/annotations.endpoints.ts'
import { answersEndpoints } from './answers/answers.endpoints.ts'
import { backupsEndpoints } from './backups/backups.endpoints.ts'
import { billingEndpoints } from './billing/billing.endpoints.ts'
import { catalogEndpoints } from './catalog/catalog.endpoints.ts'
import { comparisonsEndpoints } from './comparisons/comparisons.endpoints.ts'
import { connectionsEndpoints } from './connections/connections.endpoints.ts'
import { namespacesEndpoints } from './creator/namespaces.endpoints.ts'
import { packagesEndpoints } from './creator/packages.endpoints.ts'
import { datasetsEndpoints } from './datasets/datasets.endpoints.ts'
import { datasetVersionsEndpoints } from './datasets/dataset-versions.endpoints.ts'
import { datasetSourcesEndpoints } from './datasets/dataset-sources.endpoints.ts'
import { evaluationsEndpoints } from './evaluations/evaluations.endpoints.ts'
import { datasetBenchmarksEndpoints } from './evaluators/dataset-benchmarks.endpoints.ts'
import { evaluatorsEndpoints } from './evaluators/evaluators.endpoints.ts'
import { remoteScorersEndpoints } from './evaluators/remote-scorers.endpoints.ts'
import { feedbackEndpoints } from './feedback/feedback.endpoints.ts'
import { itemsEndpoints } from './items/items.endpoints.ts'
import { matchingRunsEndpoints } from './items/matching-runs.endpoints.ts'
import { matchingTracesEndpoints } from './items/matching-traces.endpoints.ts'
import { jobsEndpoints } from './jobs/jobs.endpoints.ts'
import { installationEndpoints } from './installation/installation.endpoints.ts'
import { keysEndpoints } from './keys/keys.endpoints.ts'
import { mediaEndpoints } from './media/media.endpoints.ts'
import { metaEndpoints } from './meta/meta.endpoints.ts'
import { localModelsEndpoints } from './local-models/local-models.endpoints.ts'
import { networkEndpoints } from './network/network.endpoints.ts'
import { quotesEndpoints } from './quotes/quotes.endpoints.ts'
import { retentionEndpoints } from './retention/retention.endpoints.ts'
import { runGroupsEndpoints } from './run-groups/run-groups.endpoints.ts'
import { runChangesEndpoints } from './runs/run-changes.endpoints.ts'
import { runReportsEndpoints } from './runs/run-reports.endpoints.ts'
import { recommendationsEndpoints } from './recommendations/recommendations.endpoints.ts'
import { releasesEndpoints } from './releases/releases.endpoints.ts'
import { runsEndpoints } from './runs/runs.endpoints.ts'
import { schedulesEndpoints } from './schedules/schedules.endpoints.ts'
import { sessionsEndpoints } from './sessions/sessions.endpoints.ts'
import { storageEndpoints } from './storage/storage.endpoints.ts'
import { suitesEndpoints } from './suites/suites.endpoints.ts'
import { traceIntegrationsEndpoints } from './traces/integrations.endpoints.ts'
import { tracesEndpoints } from './traces/traces.endpoints.ts'
import { tuneGroupsEndpoints } from './tuning/groups.endpoints.ts'
import { tuneMonitorsEndpoints } from './tuning/monitors.endpoints.ts'
import { tuneSessionsEndpoints } from './tuning/sessions.endpoints.ts'
import { webhooksEndpoints } from './webhooks/webhooks.endpoints.ts'
import { workersEndpoints } from './workers/workers.endpoints.ts'
import { worldsEndpoints } from './worlds/worlds.endpoints.ts'
import { workspaceEndpoints } from './workspace/workspace.endpoints.ts'

/** Stated part by part: the compiler writes no inferred type of this length. */
type Operations = typeof metaEndpoints &
  typeof sessionsEndpoints &
  typeof workspaceEndpoints &
  typeof installationEndpoints &
  typeof keysEndpoints &
  typeof billingEndpoints &
  typeof feedbackEndpoints &
  typeof backupsEndpoints &
  typeof networkEndpoints &
  typeof catalogEndpoints &
  typeof mediaEndpoints &
  typeof connectionsEndpoints &
  typeof localModelsEndpoints &
  typeof quotesEndpoints &
  typeof answersEndpoints &
  typeof runsEndpoints &
  typeof runChangesEndpoints &
  typeof runReportsEndpoints &
  typeof runGroupsEndpoints &
  typeof annotationsEndpoints &
  typeof itemsEndpoints &
  typeof matchingRunsEndpoints &
  typeof matchingTracesEndpoints &
  typeof suitesEndpoints &
  typeof evaluationsEndpoints &
  typeof evaluatorsEndpoints &
  typeof remoteScorersEndpoints &
  typeof recommendationsEndpoints &
  typeof comparisonsEndpoints &
  typeof releasesEndpoints &
  typeof storageEndpoints &
  typeof retentionEndpoints &
  typeof namespacesEndpoints &
  typeof packagesEndpoints &
  typeof datasetsEndpoints &
  typeof datasetVersionsEndpoints &
  typeof traceIntegrationsEndpoints &
  typeof tracesEndpoints &
  typeof datasetSourcesEndpoints &
  typeof datasetBenchmarksEndpoints &
  typeof jobsEndpoints &
  typeof tuneSessionsEndpoints &
  typeof tuneGroupsEndpoints &
  typeof tuneMonitorsEndpoints &
  typeof workersEndpoints &
  typeof worldsEndpoints &
  typeof schedulesEndpoints &
  typeof webhooksEndpoints

/** Every operation of the interface, by operation id. */
export const api: Operations = {
  ...metaEndpoints,
  ...sessionsEndpoints,
  ...workspaceEndpoints,
  ...installationEndpoints,
  ...keysEndpoints,
  ...billingEndpoints,
  ...feedbackEndpoints,
  ...backupsEndpoints,
  ...networkEndpoints,
  ...catalogEndpoints,
  ...mediaEndpoints,
  ...connectionsEndpoints,
  ...localModelsEndpoints,
  ...quotesEndpoints,
  ...answersEndpoints,
  ...runsEndpoints,
  ...runChangesEndpoints,
  ...runReportsEndpoints,
  ...runGroupsEndpoints,
  ...annotationsEndpoints,
  ...itemsEndpoints,
  ...matchingRunsEndpoints,
  ...matchingTracesEndpoints,
  ...suitesEndpoints,
  ...evaluationsEndpoints,
  ...evaluatorsEndpoints,
  ...remoteScorersEndpoints,
  ...recommendationsEndpoints,
  ...comparisonsEndpoints,
  ...releasesEndpoints,
  ...storageEndpoints,
  ...retentionEndpoints,
  ...namespacesEndpoints,
  ...packagesEndpoints,
  ...datasetsEndpoints,
  ...datasetVersionsEndpoints,
  ...traceIntegrationsEndpoints,
  ...tracesEndpoints,
  ...datasetSourcesEndpoints,
  ...datasetBenchmarksEndpoints,
  ...jobsEndpoints,
  ...tuneSessionsEndpoints,
  ...tuneGroupsEndpoints,
  ...tuneMonitorsEndpoints,
  ...workersEndpoints,
  ...worldsEndpoints,
  ...schedulesEndpoints,
  ...webhooksEndpoints,
} as const

export type Api = typeof api
export type OperationId = keyof Api
