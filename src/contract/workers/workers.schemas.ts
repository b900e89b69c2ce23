import { z } from 'zod'
import { Name, named, page, Timestamp, Uuid } from '../primitives.ts'
import { SandboxRecord } from '../runs/results.schemas.ts'
import { NoVerdictClass, VerdictClass } from '../runs/score-class.ts'
import { callReportLimits, WorkerCallOutcome, WorkerEndpoint, WorkerProbeFault, WorkerRequest } from './worker-calls.schemas.ts'
import { workerMachine } from './worker.machine.ts'

export const WorkerState = z.enum(workerMachine.states).meta({ id: 'WorkerState' })
export type WorkerState = z.infer<typeof WorkerState>

export const WorkerLabel = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,79}$/, 'must be 1 to 80 lower-case letters, digits, dots or hyphens')
  .describe('`code` takes the grading of code, `model.<connection id>` the calls of a connection.')
  .meta({ example: 'code' })

const labels = z.array(WorkerLabel).max(20).describe('What the worker takes; other work is not sent to it.')
const slots = z.int().min(1).max(1024).describe('Batches at once.')

export const Worker = named('Worker', {
  id: Uuid,
  name: Name,
  status: WorkerState.describe('`draining` finishes what it has and leaves; `lost` has stopped sending heartbeats.'),
  labels,
  slots,
  busy: z.int().nonnegative().nullable().describe('Slots in use as of the last heartbeat; null after it left or was lost.'),
  version: z.string().describe('Version of Assay that it runs.'),
  samples: z.int().nonnegative().describe('Samples completed since it joined.'),
  samples_per_minute: z.int().nonnegative().nullable().describe('Completed in the last minute; null after it left or was lost.'),
  joined_at: Timestamp,
  last_seen_at: Timestamp.describe('Last heartbeat.'),
  shared_keys: z
    .array(z.strictObject({ connection_id: Uuid, shared_at: Timestamp }))
    .describe('Connections whose key an owner shares with this worker. Other workers send a key of their own.'),
})
export type Worker = z.infer<typeof Worker>

export const WorkerPage = page(Worker).extend({
  queue: z
    .enum(['off', 'connected', 'unreachable'])
    .describe(
      '`off`: the service was started without --queue, so workers cannot join. `unreachable`: PostgreSQL does not respond; work is done locally.',
    ),
})
export type WorkerPage = z.infer<typeof WorkerPage>

/** Most that one heartbeat counts of one origin; the rest goes with the next. */
export const trafficLimits = { requests: 1_000_000, bytes: 2 ** 40 } as const

const WorkerSandbox = SandboxRecord.extend({
  title: z.string().max(200),
  interpreter: z.string().max(200),
  platform: z.string().max(200),
  probes_refused: SandboxRecord.shape.probes_refused.max(10_000),
  memory_bytes: z
    .int()
    .min(0)
    .max(2 ** 50),
  disk_bytes: z
    .int()
    .min(0)
    .max(2 ** 50),
})

/** A heartbeat; the first one joins. */
export const WorkerReportBody = named('WorkerReportBody', {
  name: Name,
  labels,
  slots,
  busy: z.int().nonnegative().max(1_000_000),
  version: z.string().min(1).max(40).describe('Must be the version of the service, with the digest of its build after a `+`.'),
  sandboxes: z.array(WorkerSandbox).max(8).describe('What it runs code in; recorded with the results.'),
  public_key: z
    .base64()
    .max(200)
    .describe('X25519, DER (SPKI), made at each start. Keys that are shared with the worker are sealed to it.'),
  traffic: z
    .array(
      z.strictObject({
        origin: z
          .string()
          .max(300)
          .regex(/^https?:\/\/[^\s/?#@]+$/, 'must be scheme, host and port'),
        requests: z.int().positive().max(trafficLimits.requests),
        sent_bytes: z.int().nonnegative().max(trafficLimits.bytes),
        received_bytes: z.int().nonnegative().max(trafficLimits.bytes),
      }),
    )
    .max(100)
    .default([])
    .describe('Exchanged with model servers since the last heartbeat; counted in the network log.'),
})
export type WorkerReportBody = z.infer<typeof WorkerReportBody>

export const WorkerLease = named('WorkerLease', {
  worker: Worker,
  heartbeat_seconds: z.int().positive().describe('Time until the next heartbeat.'),
  queues: z.array(z.strictObject({ label: WorkerLabel, name: z.string() })).describe('Queues in PostgreSQL that hold work for its labels.'),
  keys: z
    .array(
      z.strictObject({
        connection_id: Uuid,
        origin: z.string().describe('The only server that the key may be sent to.'),
        sealed: z.base64().describe('JSON of `api_key` and `headers` that only this worker can read.'),
      }),
    )
    .describe('Keys that are shared with it now; it forgets all others.'),
})
export type WorkerLease = z.infer<typeof WorkerLease>

/** The queue gives a job few attempts. */
const attempt = z.int().nonnegative().max(1_000)

export const WorkerAttemptBody = named('WorkerAttemptBody', {
  attempt: attempt.describe('Retry count of the job; a later attempt supersedes an earlier one.'),
})

const batch = { batch_id: Uuid }

/** Work of one job. Its texts are untrusted. */
export const WorkerBatch = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...batch,
      kind: z.literal('grade'),
      metrics: z.array(z.strictObject({ scorer: z.string(), options: z.record(z.string(), z.unknown()) })),
      inputs: z.array(
        z.strictObject({
          output: z.string(),
          targets: z.array(z.string()),
          choices: z.exactOptional(z.array(z.string())),
          metadata: z.exactOptional(z.record(z.string(), z.unknown())),
        }),
      ),
    }),
    z.strictObject({ ...batch, kind: z.literal('call'), endpoint: WorkerEndpoint, request: WorkerRequest }),
    z.strictObject({ ...batch, kind: z.literal('probe'), endpoint: WorkerEndpoint }),
  ])
  .meta({ id: 'WorkerBatch' })
export type WorkerBatch = z.infer<typeof WorkerBatch>
export type GradeBatch = Extract<WorkerBatch, { kind: 'grade' }>

const place = z.int().min(0).max(callReportLimits.text)

/** All that scorers of code state; no worker grades by others. */
const scoreDetails = {
  answer: z.string().max(4_000_000).nullable(),
  answerSpan: z.strictObject({ start: place, end: place }).nullable(),
  explanation: z.string().max(100_000),
  label: z.exactOptional(z.string().max(100)),
}

const WorkerScore = z.union([
  z.strictObject({ ...scoreDetails, value: z.number().min(0).max(1), class: VerdictClass }),
  z.strictObject({ ...scoreDetails, value: z.null(), class: NoVerdictClass }),
])

export const WorkerOutcome = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('grade'),
      scores: z.array(z.array(WorkerScore).max(200)).max(200).describe('By input, then by metric.'),
    }),
    z.strictObject({ kind: z.literal('call'), call: WorkerCallOutcome }),
    z.strictObject({ kind: z.literal('probe'), fault: WorkerProbeFault }),
  ])
  .meta({ id: 'WorkerOutcome' })
export type WorkerOutcome = z.infer<typeof WorkerOutcome>

export const WorkerOutcomeBody = named('WorkerOutcomeBody', { attempt, outcome: WorkerOutcome })

export const WorkerReceipt = named('WorkerReceipt', {
  stored: z.literal(true).describe('The outcome is durable; the job may be completed.'),
})
