import { assetsEndpoints } from './assets.endpoints.ts'
import { releaseDatasetsEndpoints } from './dataset-suite.endpoints.ts'
import { decisionTasksEndpoints } from './decision-tasks.endpoints.ts'
import { releaseDecisionsEndpoints } from './decisions.endpoints.ts'
import { evidenceEndpoints } from './evidence.endpoints.ts'
import { issuesEndpoints } from './issues.endpoints.ts'
import { releaseLabelsEndpoints } from './labels.endpoints.ts'
import { releasePoliciesEndpoints } from './policies.endpoints.ts'
import { releaseCalibrationsEndpoints } from './release-calibrations.endpoints.ts'
import { releaseSuitesEndpoints } from './suites.endpoints.ts'

/** Every operation of the release area, one file per resource. */
export const releasesEndpoints = {
  ...releaseSuitesEndpoints,
  ...releasePoliciesEndpoints,
  ...releaseDatasetsEndpoints,
  ...releaseDecisionsEndpoints,
  ...decisionTasksEndpoints,
  ...releaseLabelsEndpoints,
  ...evidenceEndpoints,
  ...issuesEndpoints,
  ...releaseCalibrationsEndpoints,
  ...assetsEndpoints,
} as const
