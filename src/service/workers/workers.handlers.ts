import type { workersEndpoints } from '../../contract/workers/workers.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { heartbeatMs, type Registry } from './registry.ts'
import { requireTeam, type Team } from './team.ts'

/** @param team null where the service runs without a queue */
export function workersHandlers(registry: Registry, team: Team | null): Handlers<typeof workersEndpoints> {
  return {
    listWorkers: ({ workspaceId }, { query }) => ({
      ...registry.list(workspaceId, query),
      queue: team === null ? 'off' : team.isReachable() ? 'connected' : 'unreachable',
    }),
    drainWorker: ({ workspaceId }, { params }) => registry.drain(workspaceId, params.worker_id),
    leaveWorker: ({ workspaceId }, { params }) => registry.leave(workspaceId, params.worker_id),
    reportWorker: async ({ workspaceId }, { params, body }) => {
      const queues = await requireTeam(team).queuesFor(workspaceId, body)
      return { worker: registry.report(workspaceId, params.worker_id, body), heartbeat_seconds: heartbeatMs / 1000, queues }
    },
    takeBatch: ({ workspaceId }, { params, body }) => {
      registry.worker(workspaceId, params.worker_id)
      return requireTeam(team).take(params.batch_id, { workspaceId, workerId: params.worker_id, attempt: body.attempt })
    },
    reportBatch: async ({ workspaceId }, { params, body }) => {
      const holder = { workspaceId, workerId: params.worker_id, attempt: body.attempt }
      await requireTeam(team).report(params.batch_id, holder, body.outcome)
      return { stored: true }
    },
  }
}
