import { randomUUID } from 'node:crypto'
import { mediaIn } from '../../contract/messages/messages.schemas.ts'
import { ApiError } from '../../contract/errors.ts'
import type { SandboxRecord } from '../../contract/runs/results.schemas.ts'
import type { WorkerEndpoint } from '../../contract/workers/worker-calls.schemas.ts'
import type { GradeBatch, WorkerBatch, WorkerLease, WorkerOutcome } from '../../contract/workers/workers.schemas.ts'
import type { Commit, GradedInput, GradedRun, MetricPlan } from '../../engine/execution/scheduler/ports.ts'
import { codeLanguages } from '../../engine/grading/scorers/code/code-scorers.ts'
import type { Score } from '../../engine/grading/scorers/scorer.ts'
import type { CodeGrader } from '../../workers/code-pool.ts'
import { atIntervals, type Background } from '../background.ts'
import type { Kernel } from '../kernel.ts'
import type { ModelClient } from '../../engine/clients/model-client.ts'
import type { TokenRates } from '../../engine/clients/pricing/pricing.ts'
import { createBatches, UndeliverableError } from './batches.ts'
import { openJobQueue } from './job-queue.ts'
import { parseQueueName, queueName } from './queue-name.ts'
import { callPrefix, codeLabel, type Registry } from './registry.ts'
import { createRemoteClient, type SendCall } from './remote-client.ts'
import { sweepBatches } from './sweep-batches.ts'
import type { StoredWorker } from './workers.store.ts'

/** Samples of one job: a tenth of the queue's cost for each, and still small beside what one machine does in a second. */
const samplesPerJob = 16
/** Milliseconds between looks at what workers have left undone. */
const sweepMs = 2_000
/** Milliseconds for which nothing is sent to workers that let work lie; the first batch they take ends it. */
const stallMs = 60_000
/** Grading is free and may be repeated; a call may not, since the provider may bill it. */
const gradingRetries = 3
const callRetries = 0

/** What a worker calls a verdict that its sandbox could not give; results count it. */
const lostSandbox = 'sandbox_lost'

/** The part of the service's runs that the team must know. */
export interface TeamRuns {
  workspaceOf(runNo: number): string
  /** A run's code ran in these, beside the service's own. */
  noteSandboxes(runNo: number, used: readonly SandboxRecord[]): void
}

/** The machines that grade for this service. */
export interface Team extends Required<Background> {
  /** Grades with workers where some take the label `code`, and otherwise locally. */
  route(local: CodeGrader): CodeGrader
  /** A connection's client whose calls workers make while some take them. */
  client(workspaceId: string, endpoint: WorkerEndpoint, local: ModelClient, rates: TokenRates | null): ModelClient
  /** Batches that workers can grade at once. */
  places(): number
  committed(runNo: number, commit: Pick<Commit, 'scores'>): void
  /** A run is no longer executed. */
  over(runNo: number): void
  /** Queues that hold work for a worker, made where they are missing. */
  queuesFor(workspaceId: string, labels: readonly string[]): Promise<WorkerLease['queues']>
  /** @throws ApiError not_found, conflict */
  take(id: string, worker: StoredWorker, attempt: number): WorkerBatch
  /** Digests of the files of a call that a worker holds, and from how many pixels on images are resized. @throws ApiError not_found */
  shownIn(id: string, worker: StoredWorker): { readonly digests: readonly string[]; readonly maxImagePixels?: number | undefined }
  /** @throws ApiError not_found, conflict, validation_error, unavailable */
  report(id: string, worker: StoredWorker, attempt: number, outcome: WorkerOutcome): Promise<void>
  /** A worker is gone: what it held is done by others. */
  left(workerId: string): void
  isReachable(): boolean
  /** Waits for no worker from now on; called once runs begin no more. */
  abandon(): void
}

/** @throws Error when the queue cannot be opened */
export async function openTeam(
  { log }: Pick<Kernel, 'log'>,
  { url, registry, runs }: { readonly url: string; readonly registry: Registry; readonly runs: TeamRuns },
): Promise<Team> {
  const queue = await openJobQueue({ url, role: 'service', onError: error => log.warn({ err: error }, 'the queue failed') })
  const now = () => performance.now()
  const batches = createBatches(now)
  const made = new Map<string, Promise<void>>()
  const create = (name: string): Promise<void> => {
    const known = made.get(name) ?? queue.create(name, parseQueueName(name).label === codeLabel ? gradingRetries : callRetries)
    made.set(name, known)
    known.catch(() => made.delete(name))
    return known
  }
  const send = (name: string, ids: readonly string[]) =>
    create(name)
      .then(() => queue.send(name, ids))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the queue did not take work; it is done locally')
        batches.giveUp(ids, 'The queue did not take it.')
      })

  /** Queues whose workers let work lie, and since when: a while without them, so that not every batch waits for nothing. */
  const stalls = new Map<string, number>()
  /** Whether there are workers that are expected to take work of a label. */
  const isServed = (workspaceId: string, label: string): boolean => {
    if (!queue.isReachable() || registry.takers(workspaceId, label).length === 0) return false
    const since = stalls.get(queueName(workspaceId, label))
    return since === undefined || now() - since > stallMs
  }

  let isSweeping = false
  const sweep = () => {
    registry.sweep()
    if (isSweeping) return
    isSweeping = true
    sweepBatches({ queue, batches, registry, now, stall: name => stalls.set(name, now()) })
      .catch((error: unknown) => log.warn({ err: error }, 'looking after the workers failed'))
      .finally(() => {
        isSweeping = false
      })
  }
  const sweeping = atIntervals(log, sweepMs, sweep, 'looking after the workers failed')

  const gradeRemotely = async (
    workspaceId: string,
    metrics: readonly MetricPlan[],
    inputs: readonly GradedInput[],
    run: GradedRun,
    local: CodeGrader,
  ): ReturnType<CodeGrader> => {
    const name = queueName(workspaceId, codeLabel)
    const scorers = metrics.map(({ scorer, options }) => ({ scorer, options }))
    const jobs = chunks(inputs).map(part => {
      const id = randomUUID()
      const positions = part.flatMap(({ position }) => position ?? [])
      const content = { kind: 'grade', metrics: scorers, inputs: part.map(toInput) } as const
      const batch = { workspaceId, queue: name, content, samples: { runNo: run.runNo, positions } }
      return { id, part, outcome: batches.add(id, batch) }
    })
    void send(
      name,
      jobs.map(({ id }) => id),
    )
    const rows = await Promise.all(
      jobs.map(({ part, outcome }) =>
        outcome.then(scoresOf).catch((error: unknown) => {
          if (error instanceof UndeliverableError && !run.closing()) return local(metrics, part, run)
          throw error
        }),
      ),
    )
    return rows.flat()
  }

  /** Calls that begin within a turn are one statement. */
  const pending = new Map<string, string[]>()
  const sendSoon = (name: string, id: string) => {
    if (pending.size === 0)
      setImmediate(() => {
        for (const [queued, ids] of pending) void send(queued, ids)
        pending.clear()
      })
    pending.set(name, [...(pending.get(name) ?? []), id])
  }
  const senderOf =
    (workspaceId: string, label: string): SendCall =>
    content => {
      if (!isServed(workspaceId, label)) return null
      const [id, name] = [randomUUID(), queueName(workspaceId, label)]
      const outcome = batches.add(id, { workspaceId, queue: name, content, samples: null })
      sendSoon(name, id)
      return {
        outcome,
        recall: () => {
          const isRecalled = batches.recall(id)
          // Whoever holds the job finds out at the next renewal, and ends the call.
          queue.cancel(name, [id]).catch((error: unknown) => log.warn({ err: error }, 'a call could not be taken out of the queue'))
          return isRecalled
        },
        giveUp: () => batches.giveUp([id], 'It did not end the call.'),
      }
    }

  return {
    client: (workspaceId, endpoint, local, rates) =>
      createRemoteClient(senderOf(workspaceId, `${callPrefix}${endpoint.connection_id}`), endpoint, local, rates),
    route: local => (metrics, inputs, run?: GradedRun) => {
      const isOfRun = run !== undefined && inputs.length > 0 && inputs.every(({ position }) => position !== undefined)
      const workspaceId = isOfRun && queue.isReachable() ? runs.workspaceOf(run.runNo) : null
      if (!run || workspaceId === null || !isServed(workspaceId, codeLabel)) return local(metrics, inputs, run)
      return gradeRemotely(workspaceId, metrics, inputs, run, local)
    },
    places: () => Math.ceil(registry.slots(codeLabel) / 4),
    committed: batches.committed,
    over: batches.over,
    queuesFor: async (workspaceId, labels) =>
      Promise.all(
        labels.map(async label => {
          const name = queueName(workspaceId, label)
          await create(name)
          return { label, name }
        }),
      ),
    take: (id, worker, attempt) => {
      const holder = { workspaceId: worker.workspaceId, workerId: worker.id, attempt }
      return batches.take(id, holder, batch => {
        registry.requireTaker(worker, parseQueueName(batch.queue).label)
        stalls.delete(batch.queue)
      })
    },
    shownIn: (id, worker) => {
      const content = batches.held(id, { workspaceId: worker.workspaceId, workerId: worker.id })
      if (content.kind !== 'call') return { digests: [] }
      return { digests: mediaIn(content.request.messages), maxImagePixels: content.request.maxImagePixels }
    },
    report: async (id, worker, attempt, outcome) => {
      if (worker.status === 'left')
        throw new ApiError('illegal_transition', `The worker "${worker.id}" has left. What it held is given to others.`)
      const holder = { workspaceId: worker.workspaceId, workerId: worker.id, attempt }
      // Called once, however often a worker repeats its report.
      await batches.report(id, holder, outcome, ({ content, samples: ofRun }) => {
        registry.completed(worker.id, ofRun?.positions.length ?? 1)
        if (content.kind !== 'grade' || !ofRun) return
        const languages = codeLanguages(content.metrics)
        runs.noteSandboxes(
          ofRun.runNo,
          worker.sandboxes.filter(({ language }) => languages.includes(language)),
        )
      })
    },
    left: workerId => batches.giveUp(batches.heldBy(workerId), 'It left.'),
    isReachable: queue.isReachable,
    abandon: () => {
      for (const name of batches.queues()) {
        const ids = batches.open(name).map(({ id }) => id)
        batches.giveUp(ids, 'The service is closing.')
      }
    },
    start: sweeping.start,
    close: async () => {
      sweeping.close()
      await queue.close()
    },
  }
}

/** What needs a team where there is none. */
export function requireTeam(team: Team | null): Team {
  if (team) return team
  throw new ApiError(
    'conflict',
    'This service runs without a queue, so workers cannot join. Start it with "assay serve --queue postgres://…".',
  )
}

function chunks(inputs: readonly GradedInput[]): (readonly GradedInput[])[] {
  return Array.from({ length: Math.ceil(inputs.length / samplesPerJob) }, (_, i) =>
    inputs.slice(i * samplesPerJob, (i + 1) * samplesPerJob),
  )
}

function scoresOf(outcome: WorkerOutcome): readonly (readonly Score[])[] {
  if (outcome.kind !== 'grade') throw new Error(`A worker answered a batch with "${outcome.kind}".`)
  return outcome.scores.map(row =>
    row.map(score => (score.label === lostSandbox && score.value === null ? { ...score, counts: { [lostSandbox]: 1 } } : score)),
  )
}

/** All that grading needs, and none of the prompt. */
function toInput({ output, targets, choices, metadata }: GradedInput): GradeBatch['inputs'][number] {
  return { output, targets: [...targets], ...(choices && { choices: [...choices] }), ...(metadata && { metadata: { ...metadata } }) }
}
