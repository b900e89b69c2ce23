import { foundation } from './0001-foundation.ts'
import { workspace } from './0002-workspace.ts'
import { comparisons } from './0003-comparisons.ts'
import { runs } from './0004-runs.ts'
import { connections } from './0005-connections.ts'
import { networkLog } from './0006-network-log.ts'
import { runSandboxes } from './0007-run-sandboxes.ts'
import { foundRuntimes } from './0008-found-runtimes.ts'
import { jobs } from './0009-jobs.ts'
import { pricedRoutes } from './0010-priced-routes.ts'
import { installation } from './0011-installation.ts'
import { providerCeilings } from './0012-provider-ceilings.ts'
import { runPauses } from './0013-run-pauses.ts'
import { tokenCounts } from './0014-token-counts.ts'
import { datasets } from './0015-datasets.ts'
import { evaluators } from './0016-evaluators.ts'
import { runEvaluators } from './0017-run-evaluators.ts'
import { importedAnswers } from './0018-imported-answers.ts'
import { traces } from './0020-traces.ts'
import { workloadSources } from './0021-workload-sources.ts'
import { creator } from './0022-creator.ts'
import { names } from './0023-names.ts'
import { versionStatus } from './0024-version-status.ts'
<<<<<<< HEAD
import { jobInterruptions } from './0044-job-interruptions.ts'
=======
import { releases } from './0030-releases.ts'
import { tuneSessions } from './0036-tune-sessions.ts'
>>>>>>> ci

/** In order, never edited once released: a test holds their hashes. The number of the last one is the schema's version. */
export const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001-foundation', sql: foundation },
  { name: '0002-workspace', sql: workspace },
  { name: '0003-comparisons', sql: comparisons },
  { name: '0004-runs', sql: runs },
  { name: '0005-connections', sql: connections },
  { name: '0006-network-log', sql: networkLog },
  { name: '0007-run-sandboxes', sql: runSandboxes },
  { name: '0008-found-runtimes', sql: foundRuntimes },
  { name: '0009-jobs', sql: jobs },
  { name: '0010-priced-routes', sql: pricedRoutes },
  { name: '0011-installation', sql: installation },
  { name: '0012-provider-ceilings', sql: providerCeilings },
  { name: '0013-run-pauses', sql: runPauses },
  { name: '0014-token-counts', sql: tokenCounts },
  { name: '0015-datasets', sql: datasets },
  { name: '0016-evaluators', sql: evaluators },
  { name: '0017-run-evaluators', sql: runEvaluators },
  { name: '0018-imported-answers', sql: importedAnswers },
  { name: '0020-traces', sql: traces },
  { name: '0021-workload-sources', sql: workloadSources },
  { name: '0022-creator', sql: creator },
  { name: '0023-names', sql: names },
  { name: '0024-version-status', sql: versionStatus },
<<<<<<< HEAD
  { name: '0044-job-interruptions', sql: jobInterruptions },
=======
  { name: '0030-releases', sql: releases },
  { name: '0036-tune-sessions', sql: tuneSessions },
>>>>>>> ci
]
