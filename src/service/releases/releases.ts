import type { Kernel } from '../kernel.ts'
import type { Suites } from '../suites/index.ts'
import type { Workers } from '../../workers/pool.ts'
import { createReleaseEvidence, type ReleaseEvidence } from './evidence.service.ts'
import { createReleasePolicies, type ReleasePolicies } from './policies.service.ts'
import { createReleaseSuites, type ReleaseSuites } from './suites.service.ts'

export interface ReleasesDependencies {
  readonly suites: Pick<Suites, 'read'>
  readonly workers: Pick<Workers, 'analyzeEvidence'>
}

/** The parts of the feature, one per resource. */
export interface Releases {
  readonly suites: ReleaseSuites
  readonly policies: ReleasePolicies
  readonly evidence: ReleaseEvidence
}

export function createReleases(kernel: Kernel, dependencies: ReleasesDependencies): Releases {
  const suites = createReleaseSuites(kernel, dependencies)
  const evidence = createReleaseEvidence(kernel, { workers: dependencies.workers, suites })
  return { suites, policies: createReleasePolicies(kernel), evidence }
}
