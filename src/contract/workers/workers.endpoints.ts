import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { MaxImagePixels } from '../catalog/benchmarks.schemas.ts'
import { mediaTypes } from '../media/media.schemas.ts'
import { paging, Uuid } from '../primitives.ts'
import {
  Worker,
  WorkerAttemptBody,
  WorkerBatch,
  WorkerLease,
  WorkerOutcomeBody,
  WorkerPage,
  WorkerReceipt,
  WorkerReportBody,
} from './workers.schemas.ts'

/** An addition of Assay; the service API specification has no workers. */
const params = z.strictObject({ worker_id: Uuid })
const key = z.strictObject({ worker_id: Uuid, connection_id: Uuid })
const batch = z.strictObject({ worker_id: Uuid, batch_id: Uuid })

export const workersEndpoints = endpoints('Workers', {
  listWorkers: {
    route: 'GET /v1/workers',
    summary: 'List workers, newest first',
    description: 'Machines that work for this service. An addition of Assay to the service API.',
    scope: 'workers:read',
    query: z.strictObject(paging()),
    response: WorkerPage,
    errors: ['invalid_cursor'],
  },
  drainWorker: {
    route: 'POST /v1/workers/{worker_id}/drain',
    summary: 'Drain a worker',
    description: 'It finishes the batches that it has, takes no others, and leaves.',
    scope: 'workers:write',
    params,
    response: Worker,
    errors: ['illegal_transition'],
  },
  shareKey: {
    route: 'PUT /v1/workers/{worker_id}/keys/{connection_id}',
    summary: 'Share a connection’s key with a worker',
    description:
      'The worker receives key and headers of the connection, sealed so that only it can read them, and sends them to the connection’s server only. Requires a signed-in owner. Without this, workers send a key of their own.',
    scope: 'workers:write',
    params: key,
    response: Worker,
    errors: ['conflict', 'owner_session_required'],
  },
  withdrawKey: {
    route: 'DELETE /v1/workers/{worker_id}/keys/{connection_id}',
    summary: 'Stop sharing a connection’s key with a worker',
    description: 'The worker forgets it with its next heartbeat. Replace the key at the provider if the worker is no longer trusted.',
    scope: 'workers:write',
    params: key,
    response: Worker,
    errors: ['owner_session_required'],
  },
  reportWorker: {
    route: 'PUT /v1/workers/{worker_id}',
    summary: 'Join as a worker, or send a heartbeat',
    description:
      'The worker chooses its id, which is bound to the key that it joined with. It may announce only labels that an owner granted to that key. A worker that sends no heartbeat for 20 seconds is lost.',
    scope: 'workers:run',
    params,
    body: WorkerReportBody,
    response: WorkerLease,
    maxBody: 128 * 1024,
    errors: ['conflict', 'illegal_transition', 'missing_scope'],
  },
  leaveWorker: {
    route: 'POST /v1/workers/{worker_id}/leave',
    summary: 'Leave as a worker',
    description: 'Its batches go to other workers at once.',
    scope: 'workers:run',
    params,
    response: Worker,
    errors: ['illegal_transition'],
  },
  takeBatch: {
    route: 'POST /v1/workers/{worker_id}/batches/{batch_id}/take',
    summary: 'Take a batch of work',
    description:
      'For the holder of the job in the queue, while it is active and has the label of the batch. A later attempt takes the batch from an earlier one.',
    scope: 'workers:run',
    params: batch,
    body: WorkerAttemptBody,
    response: WorkerBatch,
    errors: ['conflict', 'illegal_transition'],
  },
  getBatchMedia: {
    route: 'GET /v1/workers/{worker_id}/batches/{batch_id}/media/{digest}',
    summary: 'Read a file that a batch shows',
    description: 'An image, a recording or a document of the call that the worker holds; no other file can be read.',
    scope: 'workers:run',
    kind: 'file',
    files: mediaTypes,
    params: batch.extend({ digest: z.string().min(1).max(100).describe('`sha256:` and 64 hexadecimal digits.') }),
    query: z.strictObject({ max_image_pixels: MaxImagePixels.optional().describe('An image with more is sent resized.') }),
    errors: ['conflict'],
  },
  reportBatch: {
    route: 'POST /v1/workers/{worker_id}/batches/{batch_id}/outcome',
    summary: 'Report the outcome of a batch',
    description: 'Responds once the outcome is durable. The outcome of a superseded attempt is refused with `conflict`.',
    scope: 'workers:run',
    params: batch,
    body: WorkerOutcomeBody,
    response: WorkerReceipt,
    maxBody: 64 * 1024 * 1024,
    errors: ['conflict', 'illegal_transition', 'unavailable'],
  },
})
