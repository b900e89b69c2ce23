import type { releasesEndpoints } from '../../contract/releases/releases.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import { actorOf as authorOf } from '../datasets/index.ts'
import type { Handlers } from '../http/handler.ts'
import { previewPlan } from './preview-plan.ts'
import type { Releases } from './releases.ts'

export function releasesHandlers({
  suites,
  datasetSuites,
  policies,
  decisions,
  labels,
  evidence,
  issues,
  calibrations,
  assets,
  coverage,
}: Releases): Handlers<typeof releasesEndpoints> {
  return {
    createReleaseSuite: ({ workspaceId }, { body }) => suites.create(workspaceId, body),
    createDatasetSuite: ({ workspaceId, workspace, principal }, { params, body }) => {
      requireScope(principal, workspace, 'datasets:read')
      return datasetSuites.create(workspaceId, params.dataset_id, params.version_id, body)
    },
    createReleaseDecision: ({ workspaceId, principal }, { body }) => decisions.create(authorOf(principal), workspaceId, body),
    previewReleasePlan: (_context, { body }) => previewPlan(body),
    listReleaseDecisions: ({ workspaceId }, { query }) => decisions.list(workspaceId, query),
    getReleaseDecision: ({ workspaceId }, { params }) => decisions.read(workspaceId, params.decision_id),
    advanceReleaseDecision: ({ workspaceId, principal }, { params }) => decisions.advance(workspaceId, params.decision_id, principal),
    cancelReleaseDecision: ({ workspaceId }, { params }) => decisions.cancel(workspaceId, params.decision_id),
    listDecisionTasks: ({ workspaceId, signal }, { params, query }) => decisions.tasks.list(workspaceId, params.decision_id, query, signal),
    selectDecisionTasks: ({ workspaceId, signal }, { params, body }) =>
      decisions.tasks.select(workspaceId, params.decision_id, body, signal),
    getReleaseRecord: ({ workspaceId }, { params, query }) => decisions.record(workspaceId, params.decision_id, query.format),
    listReleaseLabels: ({ workspaceId }, { query }) => labels.listOfSample(workspaceId, query),
    createReleaseLabel: ({ workspaceId, principal }, { body }) => labels.create(principal, workspaceId, body),
    createReleasePolicy: ({ workspaceId }, { body }) => policies.create(workspaceId, body),
    createEvidence: (context, input) =>
      input.kind === 'json' ? evidence.createFromJson(context, input.body) : evidence.createFromForm(context, input.parts),
    getEvidence: ({ workspaceId }, { params }) => evidence.read(workspaceId, params.evidence_id),
    previewEvidence: (context, { params, body }) => evidence.preview(context, params.evidence_id, body),
    analyzeEvidence: (context, { params, body }) => evidence.analyze(context, params.evidence_id, body),
    getEvidenceAnalysis: ({ workspaceId }, { params }) => evidence.analysis(workspaceId, params.evidence_id, Number(params.n)),
    listEvidenceTasks: ({ workspaceId }, { params, query }) => evidence.tasks(workspaceId, params.evidence_id, Number(params.n), query),
    createIssueEvent: ({ workspaceId, principal }, { body }) => issues.record(workspaceId, principal, body),
    listIssues: ({ workspaceId }, { query }) => issues.list(workspaceId, query),
    getIssue: ({ workspaceId }, { params }) => issues.read(workspaceId, params.issue_id),
    getReleaseCoverage: ({ workspaceId, signal }, { params }) => coverage(workspaceId, params.suite_id, signal),
    createReleaseCalibration: ({ workspaceId, principal }, { body }) => calibrations.pin(workspaceId, principal, body),
    listReleaseAssets: ({ workspaceId }, { query }) => assets(workspaceId, query),
  }
}
