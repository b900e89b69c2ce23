import type { Kernel } from '../kernel.ts'
import type { Suites } from '../suites/index.ts'
import { notFound } from '../../contract/index.ts'
import type { ReleaseCoverage } from '../../contract/index.ts'
import type { Workers } from '../../workers/pool.ts'
import { type AssetsQuery, listAssets } from './assets.store.ts'
import { describeCoverage } from './coverage.ts'
import { createReleaseCalibrations, type ReleaseCalibrations } from './release-calibrations.service.ts'
import { createReleaseIssues, type ReleaseIssues } from './issues.service.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { Runs } from '../runs/index.ts'
import { createReleaseEvidence, type ReleaseEvidence } from './evidence.service.ts'
import { createReleasePolicies, type ReleasePolicies } from './policies.service.ts'
import { createReleaseSuites, type ReleaseSuites } from './suites.service.ts'

export interface ReleasesDependencies {
  readonly suites: Pick<Suites, 'read'>
  readonly workers: Pick<Workers, 'analyzeEvidence' | 'suiteCapabilities'>
  readonly runs: Pick<Runs, 'findSample'>
  readonly evaluators: Pick<Evaluators, 'calibrations'>
}

/** The parts of the feature, one per resource. */
export interface Releases {
  readonly suites: ReleaseSuites
  readonly policies: ReleasePolicies
  readonly evidence: ReleaseEvidence
  readonly issues: ReleaseIssues
  readonly calibrations: ReleaseCalibrations
  assets(workspaceId: string, query: AssetsQuery): ReturnType<typeof listAssets>
  coverage(workspaceId: string, suiteVersionId: string, signal: AbortSignal): Promise<ReleaseCoverage>
}

export function createReleases(kernel: Kernel, dependencies: ReleasesDependencies): Releases {
  const suites = createReleaseSuites(kernel, dependencies)
  const evidence = createReleaseEvidence(kernel, { workers: dependencies.workers, suites })
  const isApproved = (_workspaceId: string, id: string): boolean => {
    throw notFound('decision', id)
  }
  const issues = createReleaseIssues(kernel, { runs: dependencies.runs, isApproved })
  const calibrations = createReleaseCalibrations(kernel, dependencies)
  return {
    suites,
    policies: createReleasePolicies(kernel),
    evidence,
    issues,
    calibrations,
    assets: (workspaceId, query) => listAssets(kernel.db, workspaceId, query),
    coverage: async (workspaceId, suiteVersionId, signal) => {
      const suite = suites.read(workspaceId, suiteVersionId)
      return describeCoverage(suite, await dependencies.workers.suiteCapabilities(suite.id, signal), issues.unclosed(workspaceId))
    },
  }
}
