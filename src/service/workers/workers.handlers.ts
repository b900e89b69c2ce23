import { ApiError, invalidField, notFound } from '../../contract/errors.ts'
import { NotResizedError } from '../../engine/clients/media-source.ts'
import type { workersEndpoints } from '../../contract/workers/workers.endpoints.ts'
import type { Handlers, WorkspaceContext } from '../http/handler.ts'
import type { Media } from '../media/index.ts'
import type { NetworkLog } from '../network/index.ts'
import { requireRole } from '../auth/index.ts'
import { callPrefix, codeLabel, heartbeatMs, type Registry, type WorkerOwner } from './registry.ts'
import { requireTeam, type Team } from './team.ts'
import type { WorkerKeys } from './worker-keys.ts'

export interface WorkersDependencies {
  readonly registry: Registry
  /** Null where the service runs without a queue. */
  readonly team: Team | null
  readonly keys: WorkerKeys
  readonly connections: { find(workspaceId: string, id: string): object | null }
  readonly network: Pick<NetworkLog, 'add'>
  readonly media: Pick<Media, 'file' | 'fittingFile'>
}

export function workersHandlers({
  registry,
  team,
  keys,
  connections,
  network,
  media,
}: WorkersDependencies): Handlers<typeof workersEndpoints> {
  /** Whether there can be work of a label. A queue of any other would stay in PostgreSQL for good. */
  const hasWork = (workspaceId: string, label: string): boolean =>
    label === codeLabel || (label.startsWith(callPrefix) && connections.find(workspaceId, label.slice(callPrefix.length)) !== null)
  return {
    listWorkers: ({ workspaceId }, { query }) => ({
      ...registry.list(workspaceId, query),
      queue: team === null ? 'off' : team.isReachable() ? 'connected' : 'unreachable',
    }),
    drainWorker: ({ workspaceId }, { params }) => registry.drain(workspaceId, params.worker_id),
    leaveWorker: (context, { params }) => {
      const left = registry.leave(ownerIn(context), params.worker_id)
      team?.left(params.worker_id)
      return left
    },
    shareKey: async ({ principal, workspace, workspaceId }, { params }) => {
      registry.worker(workspaceId, params.worker_id)
      requireRole(principal, workspace, ['owner'], 'share a key with a worker')
      const person = principal.kind === 'session' ? principal.personId : principal.id
      return keys.share(workspaceId, params.worker_id, params.connection_id, person)
    },
    withdrawKey: ({ principal, workspace, workspaceId }, { params }) => {
      registry.worker(workspaceId, params.worker_id)
      requireRole(principal, workspace, ['owner'], 'stop sharing a key')
      return keys.withdraw(workspaceId, params.worker_id, params.connection_id)
    },
    reportWorker: async (context, { params, body }) => {
      const { workspaceId } = context
      const present = requireTeam(team)
      const worker = registry.report(ownerIn(context), params.worker_id, body)
      const queues = await present.queuesFor(
        workspaceId,
        body.labels.filter(label => hasWork(workspaceId, label)),
      )
      for (const exchanged of body.traffic) network.add(workspaceId, exchanged)
      return { worker, heartbeat_seconds: heartbeatMs / 1000, queues, keys: await keys.sealedFor(workspaceId, params.worker_id) }
    },
    takeBatch: (context, { params, body }) => {
      const worker = registry.own(ownerIn(context), params.worker_id)
      return requireTeam(team).take(params.batch_id, worker, body.attempt)
    },
    getBatchMedia: async (context, { params: { worker_id, batch_id, digest }, query }) => {
      const worker = registry.own(ownerIn(context), worker_id)
      const { digests, maxImagePixels } = requireTeam(team).shownIn(batch_id, worker)
      if (!digests.includes(digest)) throw notFound('media file', digest)
      if (query.max_image_pixels === undefined) return media.file(context.workspaceId, digest)
      // Each size that is made is kept.
      if (query.max_image_pixels !== maxImagePixels) throw invalidField(['query', 'max_image_pixels'], 'must be that of the call')
      try {
        return await media.fittingFile(context.workspaceId, digest, query.max_image_pixels)
      } catch (error) {
        if (error instanceof NotResizedError) throw new ApiError('validation_error', error.message)
        throw error
      }
    },
    reportBatch: async (context, { params, body }) => {
      const worker = registry.own(ownerIn(context), params.worker_id)
      await requireTeam(team).report(params.batch_id, worker, body.attempt, body.outcome)
      return { stored: true }
    },
  }
}

function ownerIn({ principal, workspaceId }: WorkspaceContext): WorkerOwner {
  const isKey = principal.kind === 'api_key'
  return { workspaceId, id: isKey ? principal.id : principal.personId, isKey, name: principal.name }
}
