import type { Kernel } from '../kernel.ts'
import type { Suites } from '../suites/index.ts'
import { createReleasePolicies, type ReleasePolicies } from './policies.service.ts'
import { createReleaseSuites, type ReleaseSuites } from './suites.service.ts'

export interface ReleasesDependencies {
  readonly suites: Pick<Suites, 'read'>
}

/** The parts of the feature, one per resource. */
export interface Releases {
  readonly suites: ReleaseSuites
  readonly policies: ReleasePolicies
}

export function createReleases(kernel: Kernel, dependencies: ReleasesDependencies): Releases {
  return { suites: createReleaseSuites(kernel, dependencies), policies: createReleasePolicies(kernel) }
}
