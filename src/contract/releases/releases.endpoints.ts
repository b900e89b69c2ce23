import { releasePoliciesEndpoints } from './policies.endpoints.ts'
import { releaseSuitesEndpoints } from './suites.endpoints.ts'

/** Every operation of the release area, one file per resource. */
export const releasesEndpoints = { ...releaseSuitesEndpoints, ...releasePoliciesEndpoints } as const
