import type { Workers } from '../../workers/pool.ts'
import type { Kernel } from '../kernel.ts'
import { tuneGroupsHandlers } from './groups.handlers.ts'
import { createTuneGroups, type TuneGroupsDependencies } from './groups.service.ts'
import type { MonitorsDependencies } from './monitors-dependencies.ts'
import { tuneMonitorsHandlers } from './monitors.handlers.ts'
import { createTuneMonitors } from './monitors.service.ts'
import { tuneSessionsHandlers } from './sessions.handlers.ts'
import { createTuneSessions, type TuneSessionsDependencies } from './sessions.service.ts'

type TuningDependencies = Omit<MonitorsDependencies & TuneGroupsDependencies, 'sessions' | 'traceWorkers' | 'quotedHeldOut'> &
  TuneSessionsDependencies & { readonly workers: Pick<Workers, 'traces' | 'quotedHeldOut'> }

/** Sessions, the groups of runs that they start, and monitors of what was chosen. */
export function createTuning(kernel: Kernel, { workers, ...dependencies }: TuningDependencies) {
  const sessions = createTuneSessions(kernel, dependencies)
  const parts = { ...dependencies, sessions, traceWorkers: workers.traces, quotedHeldOut: workers.quotedHeldOut }
  const groups = createTuneGroups(kernel, parts)
  const monitors = createTuneMonitors(kernel, parts)
  return {
    handlers: { ...tuneSessionsHandlers(sessions), ...tuneGroupsHandlers(groups), ...tuneMonitorsHandlers(monitors) },
    budgets: monitors.budgets,
    start: monitors.start,
    close: monitors.close,
  }
}
