import type { Kernel } from '../kernel.ts'
import { createRegistry } from './registry.ts'
import { openTeam, type TeamRuns } from './team.ts'
import { type ConnectionKeys, createWorkerKeys } from './worker-keys.ts'
import { workersHandlers, type WorkersDependencies } from './workers.handlers.ts'

type HandlersDependencies = Pick<WorkersDependencies, 'network' | 'media'> & {
  readonly connections: WorkersDependencies['connections'] & ConnectionKeys
}

/** The workers that have joined, and the team that they are where the service runs with a queue. @throws Error when the queue cannot be opened */
export async function openWorkers(kernel: Kernel, runs: TeamRuns) {
  const registry = createRegistry(kernel)
  const { queue } = kernel.config
  const team = queue === undefined ? null : await openTeam(kernel, { url: queue, registry, runs })
  return {
    team,
    /** Made late: what they need is made with the team. */
    handlers: ({ connections, ...others }: HandlersDependencies) =>
      workersHandlers({ ...others, registry, team, connections, keys: createWorkerKeys(kernel, registry, connections) }),
  }
}
