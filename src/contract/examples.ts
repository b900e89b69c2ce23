import { annotationsExamples } from './annotations/annotations.examples.ts'
import { answersExamples } from './answers/answers.examples.ts'
import { backupsExamples } from './backups/backups.examples.ts'
import { billingExamples } from './billing/billing.examples.ts'
import { catalogExamples } from './catalog/catalog.examples.ts'
import { comparisonsExamples } from './comparisons/comparisons.examples.ts'
import { connectionsExamples } from './connections/connections.examples.ts'
import { datasetSourcesExamples } from './datasets/dataset-sources.examples.ts'
import { datasetVersionsExamples } from './datasets/dataset-versions.examples.ts'
import { datasetsExamples } from './datasets/datasets.examples.ts'
import { evaluationsExamples } from './evaluations/evaluations.examples.ts'
import { evaluatorsExamples } from './evaluators/evaluators.examples.ts'
import { evidenceExamples } from './releases/evidence.examples.ts'
import { feedbackExamples } from './feedback/feedback.examples.ts'
import { installationExamples } from './installation/installation.examples.ts'
import { issuesExamples } from './releases/issues.examples.ts'
import { itemsExamples } from './items/items.examples.ts'
import { matchingRunsExamples } from './items/matching-runs.examples.ts'
import { matchingTracesExamples } from './items/matching-traces.examples.ts'
import { keysExamples } from './keys/keys.examples.ts'
import { localModelsExamples } from './local-models/local-models.examples.ts'
import { namespacesExamples } from './creator/namespaces.examples.ts'
import { networkExamples } from './network/network.examples.ts'
import { packagesExamples } from './creator/packages.examples.ts'
import { quotesExamples } from './quotes/quotes.examples.ts'
import { recommendationsExamples } from './recommendations/recommendations.examples.ts'
import { releaseCalibrationsExamples } from './releases/release-calibrations.examples.ts'
import { releaseDatasetsExamples } from './releases/dataset-suite.examples.ts'
import { releaseDecisionsExamples } from './releases/decisions.examples.ts'
import { releaseLabelsExamples } from './releases/labels.examples.ts'
import { releasePoliciesExamples } from './releases/policies.examples.ts'
import { releaseSuitesExamples } from './releases/suites.examples.ts'
import { remoteScorersExamples } from './evaluators/remote-scorers.examples.ts'
import { retentionExamples } from './retention/retention.examples.ts'
import { runGroupsExamples } from './run-groups/run-groups.examples.ts'
import { runChangesExamples } from './runs/run-changes.examples.ts'
import { runsExamples } from './runs/runs.examples.ts'
import { schedulesExamples } from './schedules/schedules.examples.ts'
import { sessionsExamples } from './sessions/sessions.examples.ts'
import { suitesExamples } from './suites/suites.examples.ts'
import { traceIntegrationsExamples } from './traces/integrations.examples.ts'
import { tracesExamples } from './traces/traces.examples.ts'
import { tuneGroupsExamples } from './tuning/groups.examples.ts'
import { tuneMonitorsExamples } from './tuning/monitors.examples.ts'
import { tuneSessionsExamples } from './tuning/sessions.examples.ts'
import { datasetBenchmarksExamples } from './evaluators/dataset-benchmarks.examples.ts'
import { webhooksExamples } from './webhooks/webhooks.examples.ts'
import { workersExamples } from './workers/workers.examples.ts'
import { worldsExamples } from './worlds/worlds.examples.ts'
import { workspaceExamples } from './workspace/workspace.examples.ts'
import type { Api } from './api.ts'
import type { BodyExamples } from './body-examples.ts'

/** A request body of each operation that takes one, as the OpenAPI document shows it. */
export const bodyExamples: BodyExamples<Api> = {
  ...answersExamples,
  ...backupsExamples,
  ...billingExamples,
  ...catalogExamples,
  ...comparisonsExamples,
  ...connectionsExamples,
  ...itemsExamples,
  ...matchingRunsExamples,
  ...matchingTracesExamples,
  ...localModelsExamples,
  ...namespacesExamples,
  ...networkExamples,
  ...packagesExamples,
  ...datasetsExamples,
  ...datasetVersionsExamples,
  ...datasetSourcesExamples,
  ...evaluationsExamples,
  ...evaluatorsExamples,
  ...remoteScorersExamples,
  ...feedbackExamples,
  ...installationExamples,
  ...keysExamples,
  ...quotesExamples,
  ...recommendationsExamples,
  ...releaseDecisionsExamples,
  ...releaseDatasetsExamples,
  ...evidenceExamples,
  ...issuesExamples,
  ...releaseLabelsExamples,
  ...releasePoliciesExamples,
  ...releaseCalibrationsExamples,
  ...releaseSuitesExamples,
  ...runsExamples,
  ...runChangesExamples,
  ...retentionExamples,
  ...runGroupsExamples,
  ...sessionsExamples,
  ...worldsExamples,
  ...schedulesExamples,
  ...webhooksExamples,
  ...suitesExamples,
  ...traceIntegrationsExamples,
  ...tracesExamples,
  ...tuneGroupsExamples,
  ...tuneMonitorsExamples,
  ...tuneSessionsExamples,
  ...annotationsExamples,
  ...datasetBenchmarksExamples,
  ...workersExamples,
  ...workspaceExamples,
}
