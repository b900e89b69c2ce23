import type { ReleaseCoverage } from '../../contract/releases/issues.schemas.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Connections } from '../connections/index.ts'
import type { Datasets } from '../datasets/index.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import type { Suites } from '../suites/index.ts'
import { type AssetsQuery, listAssets } from './assets.store.ts'
import { describeCoverage } from './coverage.ts'
import { createDatasetSuites, type DatasetSuites } from './dataset-suite.ts'
import { createDecisionSources } from './decision-sources.ts'
import { createReleaseDecisions, type ReleaseDecisions } from './decisions.service.ts'
import { createReleaseEvidence, type ReleaseEvidence } from './evidence.service.ts'
import { createReleaseIssues, type ReleaseIssues } from './issues.service.ts'
import { createReleaseLabels, type ReleaseLabels } from './labels.service.ts'
import { createReleasePolicies, type ReleasePolicies } from './policies.service.ts'
import { createReleaseCalibrations, type ReleaseCalibrations } from './release-calibrations.service.ts'
import { createReleaseSuites, type ReleaseSuites } from './suites.service.ts'

export interface ReleasesDependencies {
  readonly suites: Pick<Suites, 'read'>
  readonly catalog: Catalog
  readonly connections: Connections
  readonly datasets: Datasets
  readonly evaluations: Evaluations
  readonly evaluators: Pick<Evaluators, 'benchmarks' | 'calibrations'>
  readonly runs: Runs
  readonly jobs: Jobs
  readonly workers: Workers
}

/** The parts of the feature, one per resource. */
export interface Releases {
  start(): void
  readonly suites: ReleaseSuites
  readonly datasetSuites: DatasetSuites
  readonly policies: ReleasePolicies
  readonly decisions: ReleaseDecisions
  readonly labels: ReleaseLabels
  readonly evidence: ReleaseEvidence
  readonly issues: ReleaseIssues
  readonly calibrations: ReleaseCalibrations
  assets(workspaceId: string, query: AssetsQuery): ReturnType<typeof listAssets>
  coverage(workspaceId: string, suiteVersionId: string, signal: AbortSignal): Promise<ReleaseCoverage>
}

export function createReleases(kernel: Kernel, dependencies: ReleasesDependencies): Releases {
  const { workers, runs } = dependencies
  const suites = createReleaseSuites(kernel, dependencies)
  const policies = createReleasePolicies(kernel)
  const sources = createDecisionSources(kernel, suites)
  const decisions = createReleaseDecisions(kernel, { ...dependencies, suites, policies, sources: () => sources })
  const issues = createReleaseIssues(kernel, {
    runs,
    isApproved: (workspaceId, id) => decisions.read(workspaceId, id).status === 'approved',
  })
  return {
    start: decisions.start,
    suites,
    datasetSuites: createDatasetSuites({ ...dependencies, suites }),
    policies,
    decisions,
    labels: createReleaseLabels(kernel, { ...dependencies, policies }),
    evidence: createReleaseEvidence(kernel, { workers, suites }),
    issues,
    calibrations: createReleaseCalibrations(kernel, dependencies),
    assets: (workspaceId, query) => listAssets(kernel.db, workspaceId, query),
    coverage: async (workspaceId, suiteVersionId, signal) => {
      const suite = suites.read(workspaceId, suiteVersionId)
      return describeCoverage(suite, await workers.suiteCapabilities(suite.id, signal), issues.unclosed(workspaceId))
    },
  }
}
