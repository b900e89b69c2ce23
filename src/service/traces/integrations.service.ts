import { ApiError, invalidField, notFound, requireFound } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { allows, illegalTransition } from '../../contract/machine.ts'
import type {
  Backfill,
  BackfillBody,
  ProviderProjects,
  ProviderResources,
  ProviderSlot,
  TraceIntegration,
} from '../../contract/traces/integrations.schemas.ts'
import { takesCredentials, traceIntegrationMachine } from '../../contract/traces/trace-integration.machine.ts'
import { adapterOf, slotAdapters } from '../../engine/clients/tracing/adapters.ts'
import { ProviderFault } from '../../engine/clients/tracing/provider-fault.ts'
import type { ProviderCredentials } from '../../engine/clients/tracing/trace-adapter.ts'
import { transition } from '../../storage/transition.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import { atIntervals } from '../background.ts'
import type { Asker } from '../http/handler.ts'
import { jobOwner, type Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import type { NetworkLog } from '../network/index.ts'
import { sealSecret } from '../sealed-secret.ts'
import { backfillJob, statusColumn } from './backfill-job.ts'
import {
  changeIntegration,
  dueIntegrations,
  findIntegration,
  findLive,
  insertIntegration,
  listIntegrations,
  type StoredIntegration,
  withCredentials,
} from './integrations.store.ts'
import {
  checkAddress,
  type FaultFields,
  openProvider,
  ownOrigin,
  type ProviderSession,
  credentialPlace,
  credentialValues,
  toApiError,
  unsealCredentials,
} from './provider-session.ts'
import type { PageQuery } from '../../storage/keyset.ts'

/** Longest window. */
const mostDays = 366
/** Between looks for windows that are due. */
const followLookMs = 5_000
/** A window that follows begins before the last one's end, because spans arrive late. */
const overlapMs = 30 * 60_000

/** Address and credentials of a request, whichever body they came in. */
export interface Access {
  readonly slot: ProviderSlot
  readonly address: string | null
  readonly allowPrivate: boolean
  readonly credentials: ProviderCredentials
}

export type TraceIntegrations = ReturnType<typeof createTraceIntegrations>

export interface IntegrationDependencies {
  readonly network: NetworkLog
  readonly workers: TraceWorkers
  readonly media: Pick<Media, 'recordOfTrace'>
  readonly jobs: Jobs
}

export function createTraceIntegrations(kernel: Kernel, { network, workers, media, jobs }: IntegrationDependencies) {
  const { db, clock, ids, host } = kernel
  jobs.register(backfillJob({ kernel, network, workers, media }))
  kernel.secrets.add(workspaceId => credentialValues(host.secrets, withCredentials(db, workspaceId)))

  const stored = (workspaceId: string, id: string): StoredIntegration => {
    const found = findIntegration(db, id)
    if (found?.workspaceId !== workspaceId) throw notFound('integration', id)
    return found
  }
  const view = (id: string): TraceIntegration => {
    const found = requireFound(findIntegration(db, id), 'integration', id)
    return found.record
  }
  const step = (id: string, event: keyof typeof traceIntegrationMachine.events) =>
    transition(db, traceIntegrationMachine, statusColumn, id, event, timestamp(clock))

  /** Asks a provider with what a request brought; its refusals are about the request's fields. */
  const withAccess = async <T>(
    { slot, address, allowPrivate, credentials }: Access,
    asker: Asker,
    projectField: string | null,
    signal: AbortSignal,
    work: (session: ProviderSession, baseUrl: string) => Promise<T>,
  ): Promise<T> => {
    const adapter = slotAdapters[slot]
    const fields = fieldsOf(slot, projectField)
    const typed = address ?? adapter.defaultBaseUrl
    if (typed === null) throw invalidField(['body', fields.address], 'is required', 'missing')
    const baseUrl = adapter.normalizeBaseUrl(typed)
    checkAddress(baseUrl, fields.address, allowPrivate, asker, ownOrigin(kernel.accessPolicy))
    const session = openProvider(
      kernel,
      network,
      { workspaceId: asker.workspace.id, adapter, baseUrl, credentials, project: null, allowPrivate },
      signal,
    )
    try {
      return await work(session, baseUrl)
    } catch (fault) {
      throw toApiError(fault, fields, asker.principal)
    } finally {
      await session.close()
    }
  }

  /** In the caller's transaction, once the status says so. */
  const enqueueBackfill = (integration: StoredIntegration, owner: JobOwner): void => {
    const { id } = integration.record
    const jobId = jobs.enqueue('trace_backfill', {
      workspaceId: integration.workspaceId,
      owner,
      input: { integration_id: id },
      subject: { type: 'trace_integration', id },
    })
    changeIntegration(db, id, { jobId }, timestamp(clock))
  }
  /** Ends the job that reads the window; its place stays. */
  const stopBackfill = ({ record, workspaceId }: StoredIntegration): void => {
    if (record.status !== 'backfilling' || record.job_id === null) return
    jobs.cancel(workspaceId, record.job_id)
    if (record.backfill?.retry_at) changeIntegration(db, record.id, { backfill: { ...record.backfill, retry_at: null } }, timestamp(clock))
  }
  const isWindowOpen = ({ record }: StoredIntegration) => record.backfill !== null && record.backfill.finished_at === null

  const beginWindow = (
    integration: StoredIntegration,
    window: Pick<Backfill, 'from' | 'to' | 'max_traces' | 'only_roots' | 'follow'>,
    owner: JobOwner,
  ) => {
    const now = timestamp(clock)
    step(integration.record.id, 'backfill')
    const counts = { pages: 0, traces: 0, spans: 0, new_traces: 0, new_spans: 0, fraction: null }
    const backfill: Backfill = { ...window, ...counts, started_at: now, finished_at: null, retry_at: null }
    changeIntegration(db, integration.record.id, { backfill, place: null, nextWindowAt: null, lastError: null }, now)
    enqueueBackfill(integration, owner)
  }

  const followWindows = () => {
    for (const integration of dueIntegrations(db, timestamp(clock))) {
      const last = integration.record.backfill
      if (!last) continue
      const from = new Date(Date.parse(last.to) - overlapMs).toISOString()
      const window = { from, to: timestamp(clock), max_traces: last.max_traces, only_roots: last.only_roots, follow: true }
      db.transaction(() => beginWindow(integration, window, { kind: 'service' }))
    }
  }

  return {
    list: (workspaceId: string, query: PageQuery) => listIntegrations(db, workspaceId, query),

    discover: (access: Access, cursor: string | null, asker: Asker, signal: AbortSignal): Promise<ProviderProjects> =>
      withAccess(access, asker, null, signal, async session => {
        const { items, nextCursor } = await slotAdapters[access.slot].projects(session.ask, cursor)
        return { items: items.map(item => ({ ...item, kind: 'project' as const })), next_cursor: nextCursor }
      }),

    connect: (
      access: Access,
      projectId: string | null,
      name: string | null,
      asker: Asker,
      signal: AbortSignal,
    ): Promise<TraceIntegration> =>
      withAccess(access, asker, 'project_id', signal, async (session, baseUrl) => {
        const adapter = slotAdapters[access.slot]
        const project = await adapter.project(session.ask, projectId)
        const identity = { workspaceId: asker.workspace.id, provider: adapter.source, baseUrl, project }
        const { credentials, allowPrivate, slot } = access
        const id = ids.next()
        const secret = await sealSecret(host.secrets, 'Keys', credentials, credentialPlace(identity.workspaceId, id, baseUrl))
        db.transaction(() => {
          const live = findLive(db, identity)
          if (live !== null) throw new ApiError('conflict', `The project "${project.name}" is connected already, as integration "${live}".`)
          const secretOrigin = new URL(baseUrl).origin
          insertIntegration(
            db,
            { id, ...identity, slot, name: name ?? project.name, allowPrivate, secret, secretOrigin, hint: hintOf(credentials) },
            timestamp(clock),
          )
        })
        return view(id)
      }),

    reconnect: async (
      workspaceId: string,
      id: string,
      kind: 'key_pair' | 'access_key',
      access: Omit<Access, 'slot'>,
      asker: Asker,
      signal: AbortSignal,
    ): Promise<TraceIntegration> => {
      const integration = stored(workspaceId, id)
      const { record } = integration
      if ((record.provider === 'provider-a') !== (kind === 'key_pair'))
        throw new ApiError(
          'conflict',
          `${record.provider_name} is reconnected with ${kind === 'key_pair' ? 'reconnect-workload' : 'reconnect'}.`,
        )
      requireReconnectable(record)
      const adapter = adapterOf(integration.provider)
      if (access.address !== null && adapter.normalizeBaseUrl(access.address) !== record.base_url)
        throw new ApiError('conflict', `The integration reads ${record.base_url}. Connect another address as a new integration.`)
      const full = {
        ...access,
        slot: record.provider,
        address: record.base_url,
        allowPrivate: access.allowPrivate || integration.allowPrivate,
      }
      return withAccess(full, asker, 'project_id', signal, async session => {
        try {
          await adapter.project(session.ask, record.project.id)
        } catch (fault) {
          if (fault instanceof ProviderFault && fault.code === 'not_found')
            throw new ApiError('conflict', `The key does not read the project "${record.project.name}". Use a key of that project.`)
          throw fault
        }
        const cipher = await sealSecret(host.secrets, 'Keys', access.credentials, credentialPlace(workspaceId, record.id, record.base_url))
        return db.transaction(() => {
          const present = stored(workspaceId, id)
          const isOpen = isWindowOpen(present)
          const isPaused = present.record.status === 'paused'
          step(id, isPaused ? 'reconnect_paused' : isOpen ? 'reconnect_backfill' : 'reconnect')
          const secret = { cipher, origin: new URL(record.base_url).origin, hint: hintOf(access.credentials) }
          // A provider's cursors die with the credential that they were given to.
          changeIntegration(db, id, { secret, place: null, lastError: null }, timestamp(clock))
          if (isOpen && !isPaused) enqueueBackfill(present, jobOwner(asker.principal))
          return view(id)
        })
      })
    },

    pause: (workspaceId: string, id: string): TraceIntegration =>
      db.transaction(() => {
        const integration = stored(workspaceId, id)
        step(id, 'pause')
        stopBackfill(integration)
        return view(id)
      }),

    resume: (workspaceId: string, id: string, owner: JobOwner): TraceIntegration =>
      db.transaction(() => {
        const integration = stored(workspaceId, id)
        const isOpen = isWindowOpen(integration)
        step(id, isOpen ? 'resume_backfill' : 'resume')
        if (isOpen) enqueueBackfill(integration, owner)
        return view(id)
      }),

    backfill: (workspaceId: string, id: string, body: BackfillBody, owner: JobOwner): TraceIntegration =>
      db.transaction(() => {
        const integration = stored(workspaceId, id)
        if (integration.record.status === 'backfilling')
          throw new ApiError('conflict', 'A backfill of this integration is running. Wait for its end, or pause it.')
        const now = clock.now().getTime()
        const to = Math.min(now, body.to === undefined ? now : Date.parse(body.to))
        const from = Date.parse(body.from)
        if (from >= to) throw invalidField(['body', 'from'], 'must be before the end of the window', 'window')
        if (to - from > mostDays * 86_400_000)
          throw invalidField(['body', 'from'], `must be at most ${mostDays} days before the end of the window`, 'window')
        const window = {
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          max_traces: body.max_traces ?? null,
          only_roots: body.only_roots,
          follow: body.follow,
        }
        beginWindow(integration, window, owner)
        return view(id)
      }),

    disconnect: (workspaceId: string, id: string): void =>
      db.transaction(() => {
        const integration = stored(workspaceId, id)
        if (integration.record.status === 'disconnected') return
        step(id, 'disconnect')
        stopBackfill(integration)
        changeIntegration(db, id, { secret: null, place: null, nextWindowAt: null }, timestamp(clock))
      }),

    resources: (
      workspaceId: string,
      id: string,
      query: { kind: 'datasets' | 'experiments'; cursor?: string | undefined; limit: number },
      asker: Asker,
      signal: AbortSignal,
    ): Promise<ProviderResources> =>
      withIntegration(workspaceId, id, asker, signal, async (session, { record, provider }) => {
        const kind = query.kind === 'datasets' ? ('dataset' as const) : ('experiment' as const)
        const page = await adapterOf(provider).resources(session.ask, {
          project: record.project,
          kind,
          cursor: query.cursor ?? null,
          limit: query.limit,
        })
        return { items: [...page.items], next_cursor: page.nextCursor }
      }),

    withIntegration,

    ...atIntervals(kernel.log, followLookMs, () => kernel.storage.attempt(followWindows), 'following the trace integrations failed'),
  }

  /** Asks the provider of an integration with its stored credentials; where they are refused, it needs attention. */
  async function withIntegration<T>(
    workspaceId: string,
    id: string,
    asker: Asker,
    signal: AbortSignal,
    work: (session: ProviderSession, integration: StoredIntegration) => Promise<T>,
  ): Promise<T> {
    const integration = stored(workspaceId, id)
    const { record, allowPrivate } = integration
    if (record.status === 'disconnected' || record.status === 'attention') throw illegalTransition('integration', id, record.status, 'read')
    const adapter = adapterOf(integration.provider)
    const credentials = await unsealCredentials(host.secrets, integration)
    const session = openProvider(
      kernel,
      network,
      { workspaceId, adapter, baseUrl: record.base_url, credentials, project: record.project, allowPrivate },
      signal,
    )
    try {
      return await work(session, integration)
    } catch (fault) {
      if (fault instanceof ProviderFault && fault.code === 'credential_refused') loseAccess(workspaceId, id, fault)
      throw toApiError(fault, null, asker.principal)
    } finally {
      await session.close()
    }
  }

  function loseAccess(workspaceId: string, id: string, fault: ProviderFault): void {
    db.transaction(() => {
      const present = stored(workspaceId, id)
      if (!allows(traceIntegrationMachine, present.record.status, 'lose_access')) return
      step(id, 'lose_access')
      stopBackfill(present)
      const now = timestamp(clock)
      changeIntegration(db, id, { lastError: { code: fault.code, message: fault.message, at: now } }, now)
    })
  }
}

function requireReconnectable({ id, status }: TraceIntegration): void {
  if (!takesCredentials(status)) throw illegalTransition('integration', id, status, 'reconnect')
}

function fieldsOf(slot: ProviderSlot, project: string | null): FaultFields & { readonly address: 'host' | 'base_url' } {
  return slot === 'provider-a'
    ? { credential: 'secret_key', address: 'host', project }
    : { credential: 'access_key', address: 'base_url', project }
}

/** Last four characters; of a short secret none, since they would give it away. */
function hintOf({ key, secret }: ProviderCredentials): string {
  const whole = secret ?? key
  return whole.length >= 12 ? whole.slice(-4) : '····'
}
