import { ApiError, invalidField, notFound } from '../../contract/errors.ts'
import { workerMachine } from '../../contract/workers/worker.machine.ts'
import type { Worker, WorkerReportBody } from '../../contract/workers/workers.schemas.ts'
import { transition } from '../../storage/transition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { appVersion } from '../version.ts'
import { buildVersion } from './build-version.ts'
import { grantedLabels } from '../keys/index.ts'
import { sealKey } from './sealed-key.ts'
import { keysOf } from './worker-keys.store.ts'
import {
  addSamples,
  deleteGoneWorkers,
  findWorker,
  forgetGoneOf,
  insertWorker,
  listStoredWorkers,
  presentWorkers,
  type StoredWorker,
  updateWorker,
} from './workers.store.ts'
import type { PageQuery } from '../../storage/keyset.ts'

/** Milliseconds between heartbeats, and without one until a worker is lost. */
export const heartbeatMs = 5_000
export const lostAfterMs = 20_000
/** Milliseconds for which workers that are gone are listed. */
const keepGoneMs = 7 * 24 * 3600 * 1000
/** Of one key at once; as many that are gone are listed. */
const mostWorkers = 200
const minute = 60_000

const at = { table: 'workers', column: 'status' } as const

/** Who acts for a worker: the key, or the person of a session. */
export interface WorkerOwner {
  readonly workspaceId: string
  readonly id: string
  readonly isKey: boolean
  readonly name: string
}

/** Which machines have joined, and what they take. */
export interface Registry {
  list(workspaceId: string, query: PageQuery): { items: Worker[]; next_cursor: string | null }
  /** @throws ApiError conflict when it cannot join, missing_scope for a label that its key may not take, not_found when it is another's */
  report(by: WorkerOwner, id: string, report: WorkerReportBody): Worker
  drain(workspaceId: string, id: string): Worker
  /** @throws ApiError not_found */
  leave(by: WorkerOwner, id: string): Worker
  /** A worker of the caller's. @throws ApiError not_found when it is another's */
  own(by: WorkerOwner, id: string): StoredWorker
  /** @throws ApiError conflict unless the worker is active and may take batches of the label */
  requireTaker(worker: StoredWorker, label: string): void
  /** @throws ApiError not_found */
  worker(workspaceId: string, id: string): StoredWorker
  /** As the API states it. @throws ApiError not_found */
  publicWorker(workspaceId: string, id: string): Worker
  /** Active workers that take a label. */
  takers(workspaceId: string, label: string): readonly StoredWorker[]
  /** Whether a worker is active or draining. */
  isPresent(id: string): boolean
  /** Slots of all active workers that take a label. */
  slots(label: string): number
  completed(id: string, samples: number): void
  /** Gives up workers that have stopped sending heartbeats. */
  sweep(): void
}

export function createRegistry({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Registry {
  /** Since when workers can be heard: a service that has just started, or slept, has heard none yet. */
  let listening = clock.now().getTime()
  let swept = listening
  /** Completions of the last minute by worker, oldest first. */
  const recent = new Map<string, { readonly at: number; readonly samples: number }[]>()
  const now = () => clock.now().getTime()
  const pace = (id: string): number => {
    const kept = (recent.get(id) ?? []).filter(entry => entry.at > now() - minute)
    if (kept.length > 0) recent.set(id, kept)
    else recent.delete(id)
    return kept.reduce((sum, { samples }) => sum + samples, 0)
  }
  const toPublic = ({ workspaceId: _, sandboxes: __, publicKey: ___, joinedBy: ____, ...stored }: StoredWorker): Worker => {
    const isPresent = stored.status === 'active' || stored.status === 'draining'
    return {
      ...stored,
      busy: isPresent ? stored.busy : null,
      samples_per_minute: isPresent ? pace(stored.id) : null,
      shared_keys: isPresent ? keysOf(db, stored.id) : [],
    }
  }
  const worker = (workspaceId: string, id: string): StoredWorker => {
    const found = findWorker(db, id)
    if (found?.workspaceId !== workspaceId) throw notFound('worker', id)
    return found
  }
  const move = (workspaceId: string, id: string, event: 'drain' | 'leave'): Worker =>
    db.transaction(() => {
      worker(workspaceId, id)
      transition(db, workerMachine, at, id, event, timestamp(clock))
      return toPublic(worker(workspaceId, id))
    })
  const own = ({ workspaceId, id: ownerId }: WorkerOwner, id: string): StoredWorker => {
    const found = worker(workspaceId, id)
    if (found.joinedBy !== ownerId) throw notFound('worker', id)
    return found
  }
  const requireGranted = ({ id, isKey, name }: WorkerOwner, { labels }: WorkerReportBody): void => {
    const granted = isKey ? grantedLabels(db, id) : null
    const refused = granted && labels.find(label => !granted.some(grant => isGranted(grant, label)))
    if (refused === null || refused === undefined) return
    const has = granted?.length ? `It has ${granted.join(', ')}.` : 'It has none.'
    throw new ApiError(
      'missing_scope',
      `The workers of the key "${name}" may not take the label "${refused}". ${has} An owner grants labels when creating the key (worker_labels).`,
    )
  }

  const requireRoom = ({ id, name }: WorkerOwner): void => {
    if (presentWorkers(db).filter(({ joinedBy }) => joinedBy === id).length >= mostWorkers)
      throw new ApiError('conflict', `"${name}" has ${mostWorkers} workers, the most for one key. Stop some, or join with another key.`)
  }

  return {
    worker,
    own,
    publicWorker: (workspaceId, id) => toPublic(worker(workspaceId, id)),
    list: (workspaceId, query) => {
      const { items, next_cursor } = listStoredWorkers(db, workspaceId, query)
      return { items: items.map(toPublic), next_cursor }
    },
    report: (by, id, report) => {
      const { workspaceId } = by
      assertUsable(report)
      return db.transaction(() => {
        requireGranted(by, report)
        const known = findWorker(db, id)
        if (known && (known.workspaceId !== workspaceId || (known.joinedBy ?? by.id) !== by.id)) throw notFound('worker', id)
        if (known?.status === 'left') throw new ApiError('illegal_transition', `The worker "${id}" has left. Join with a new id.`)
        if (known && known.publicKey !== report.public_key)
          throw new ApiError('conflict', `The worker "${id}" joined with another public key. Join with a new id.`)
        if (!known) {
          assertSealable(report)
          requireRoom(by)
          forgetGoneOf(db, by.id, mostWorkers)
        }
        if (known?.status === 'lost') {
          requireRoom(by)
          transition(db, workerMachine, at, id, 'rejoin', timestamp(clock))
        }
        if (known) updateWorker(db, id, by.id, report, timestamp(clock))
        else insertWorker(db, { id, workspaceId, joinedBy: by.id }, report, timestamp(clock))
        return toPublic(worker(workspaceId, id))
      })
    },
    drain: (workspaceId, id) => move(workspaceId, id, 'drain'),
    leave: (by, id) => {
      own(by, id)
      return move(by.workspaceId, id, 'leave')
    },
    requireTaker: ({ id, status, labels, name, version }, label) => {
      assertVersion(version)
      if (status !== 'active') throw new ApiError('illegal_transition', `The worker "${id}" is ${status}, so it takes no batches.`)
      if (!labels.includes(label)) throw new ApiError('conflict', `The worker "${name}" has not announced the label "${label}".`)
    },
    takers: (workspaceId, label) => activeWorkers(db).filter(one => one.workspaceId === workspaceId && one.labels.includes(label)),
    isPresent: id => {
      const status = findWorker(db, id)?.status
      return status === 'active' || status === 'draining'
    },
    slots: label =>
      activeWorkers(db)
        .filter(({ labels }) => labels.includes(label))
        .reduce((sum, { slots }) => sum + slots, 0),
    completed: (id, samples) => {
      addSamples(db, id, samples)
      recent.set(id, [...(recent.get(id) ?? []), { at: now(), samples }])
    },
    sweep: () => {
      const isBack = Math.abs(now() - swept) > lostAfterMs / 2
      swept = now()
      if (isBack) listening = swept
      const before = now() - lostAfterMs
      const isLost = ({ last_seen_at }: StoredWorker) => Math.max(listening, Date.parse(last_seen_at)) < before
      for (const { id } of presentWorkers(db).filter(isLost)) {
        transition(db, workerMachine, at, id, 'lose', timestamp(clock))
        recent.delete(id)
      }
      deleteGoneWorkers(db, new Date(now() - keepGoneMs).toISOString())
    },
  }
}

/** After an update of the service, workers of the former version are listed as active until their next heartbeat is refused. */
function activeWorkers(db: Kernel['db']): StoredWorker[] {
  return presentWorkers(db).filter(({ status, version }) => status === 'active' && version === buildVersion())
}

/** Another version or build may grade otherwise. @throws ApiError conflict */
function assertVersion(version: string): void {
  const own = buildVersion()
  if (version === own) return
  const [stated = ''] = version.split('+')
  throw new ApiError(
    'conflict',
    stated === appVersion
      ? `The worker runs another build of Assay ${appVersion} than the service (${version} and ${own}), which may grade otherwise. Install both from the same package.`
      : `The worker runs Assay ${stated} and the service ${appVersion}. Install the same version.`,
  )
}

/** @throws ApiError conflict */
function assertUsable({ version, labels, sandboxes }: WorkerReportBody): void {
  assertVersion(version)
  const missing = (['python', 'javascript'] as const).filter(language => !sandboxes.some(sandbox => sandbox.language === language))
  if (labels.includes(codeLabel) && missing.length > 0)
    throw new ApiError(
      'conflict',
      `The label "code" needs a sandbox for ${missing.join(' and ')}. Run "assay doctor" on the worker to see why.`,
    )
}

/** @throws ApiError validation_error */
function assertSealable({ public_key }: WorkerReportBody): void {
  try {
    sealKey({ api_key: null, headers: {} }, public_key, { workerId: '', connectionId: '', origin: '' })
  } catch {
    throw invalidField(['body', 'public_key'], 'must be a public key of X25519 in DER (SPKI), in base64')
  }
}

/** Takes the grading of code. */
export const codeLabel = 'code'
/** Takes the calls of a connection: its id follows. */
export const callPrefix = 'model.'

/** A grant is a label, or the beginning of labels followed by `*`. */
function isGranted(grant: string, label: string): boolean {
  return grant.endsWith('*') ? label.startsWith(grant.slice(0, -1)) : grant === label
}
