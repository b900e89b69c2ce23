import type { TraceWorkers } from '../../workers/trace-pool.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Comparisons } from '../comparisons/index.ts'
import type { Connections } from '../connections/index.ts'
import type { Evaluators } from '../evaluators/index.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Quotes } from '../quotes/index.ts'
import type { Runs } from '../runs/index.ts'
import type { TuneSessions } from './sessions.service.ts'

export interface MonitorsDependencies {
  readonly sessions: TuneSessions
  readonly evaluators: Pick<Evaluators, 'outputs' | 'pause'>
  readonly quotes: Quotes
  readonly runs: Runs
  readonly comparisons: Pick<Comparisons, 'compute'>
  readonly jobs: Jobs
  readonly traceWorkers: TraceWorkers
  readonly catalog: Catalog
  readonly connections: Connections
}
