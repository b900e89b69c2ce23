import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Connections } from '../connections/index.ts'
import type { Datasets } from '../datasets/index.ts'
import type { Evaluations } from '../evaluations/index.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Kernel } from '../kernel.ts'
import type { Runs } from '../runs/index.ts'
import type { Suites } from '../suites/index.ts'
import { createReleaseDecisions, type ReleaseDecisions } from './decisions.service.ts'
import { createReleaseLabels, type ReleaseLabels } from './labels.service.ts'
import { createReleasePolicies, type ReleasePolicies } from './policies.service.ts'
import { type DecisionSources, noSources } from './ports.ts'
import { createReleaseSuites, type ReleaseSuites } from './suites.service.ts'

export interface ReleasesDependencies {
  readonly suites: Pick<Suites, 'read'>
  readonly catalog: Catalog
  readonly connections: Connections
  readonly datasets: Datasets
  readonly evaluations: Evaluations
  readonly runs: Runs
  readonly jobs: Jobs
  readonly workers: Workers
}

/** The parts of the feature, one per resource. */
export interface Releases {
  readonly suites: ReleaseSuites
  readonly policies: ReleasePolicies
  readonly decisions: ReleaseDecisions
  readonly labels: ReleaseLabels
}

export function createReleases(kernel: Kernel, dependencies: ReleasesDependencies): Releases {
  const suites = createReleaseSuites(kernel, dependencies)
  const policies = createReleasePolicies(kernel)
  // Evidence, calibrations and issues answer here.
  const sources: DecisionSources = noSources
  return {
    suites,
    policies,
    decisions: createReleaseDecisions(kernel, { ...dependencies, suites, policies, sources: () => sources }),
    labels: createReleaseLabels(kernel, { ...dependencies, policies }),
  }
}
