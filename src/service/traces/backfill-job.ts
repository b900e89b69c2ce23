import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import type { Backfill } from '../../contract/traces/integrations.schemas.ts'
import { traceIntegrationMachine } from '../../contract/traces/trace-integration.machine.ts'
import { adapterOf } from '../../engine/clients/tracing/adapters.ts'
import { createPace, type Pace } from '../../engine/clients/tracing/pace.ts'
import { ProviderFault } from '../../engine/clients/tracing/provider-fault.ts'
import type { Deprecation, ProviderReply } from '../../engine/clients/tracing/provider-transport.ts'
import type { BackfillPlace, BackfillWindow, TraceAdapter } from '../../engine/clients/tracing/trace-adapter.ts'
import { transition } from '../../storage/transition.ts'
import { withoutFlush } from '../../storage/without-flush.ts'
import type { ReadPage } from '../../workers/trace-tasks.ts'
import type { TraceWorkers } from '../../workers/trace-pool.ts'
import type { JobContext, JobHandler } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Media } from '../media/index.ts'
import type { NetworkLog } from '../network/index.ts'
import { changeIntegration, findIntegration, type StoredIntegration } from './integrations.store.ts'
import { openProvider, type ProviderSession, unsealCredentials } from './provider-session.ts'
import { inParts, type SpanScope, storeAnnotations, storeSpans } from './spans.store.ts'

const Input = z.strictObject({ integration_id: z.string() })
type Input = z.infer<typeof Input>

export const statusColumn = { table: 'trace_integrations', column: 'status' } as const

/** Failures in a row after which a backfill ends; they wait 1, 2, 4 … 60 s. */
const mostFailures = 7
/** Throttled requests in a row after which it ends. */
const mostThrottles = 30
const longestBackoffMs = 60_000
/** What a provider asks for is capped; pausing and resuming skips it. */
const longestRetryMs = 15 * 60_000
/** A window that is followed is continued after this. */
const followEveryMs = 15 * 60_000

export interface BackfillDependencies {
  readonly kernel: Pick<Kernel, 'db' | 'ids' | 'clock' | 'host' | 'accessPolicy' | 'config'>
  readonly network: NetworkLog
  readonly workers: TraceWorkers
  readonly media: Pick<Media, 'recordOfTrace'>
}

/** Reads a window of a project page by page; each page is stored together with the place after it. */
export function backfillJob(dependencies: BackfillDependencies): JobHandler<Input> {
  const { db, clock } = dependencies.kernel
  return {
    kind: 'trace_backfill',
    input: Input,
    lane: 'traces',
    concurrency: 2,
    run: async job => {
      const integration = findIntegration(db, job.input.integration_id)
      if (integration?.record.status !== 'backfilling') return
      const { record } = integration
      const adapter = adapterOf(integration.provider)
      const session = openProvider(
        dependencies.kernel,
        dependencies.network,
        {
          workspaceId: integration.workspaceId,
          adapter,
          baseUrl: record.base_url,
          credentials: await unsealCredentials(dependencies.kernel.host.secrets, integration),
          project: record.project,
          allowPrivate: integration.allowPrivate,
        },
        job.signal,
      )
      try {
        await createBackfill(dependencies, job, record.id, { adapter, session }).readWindow()
      } finally {
        await session.close()
      }
    },
    ended: ({ input }, { code, message }) => {
      const integration = findIntegration(db, input.integration_id)
      // Paused, disconnected and refused integrations ended the window themselves.
      if (integration?.record.status !== 'backfilling') return
      const now = timestamp(clock)
      transition(db, traceIntegrationMachine, statusColumn, input.integration_id, 'finish', now, code)
      const { backfill } = integration.record
      changeIntegration(
        db,
        input.integration_id,
        {
          ...(backfill ? { backfill: { ...backfill, finished_at: now, retry_at: null } } : {}),
          place: null,
          lastError: { code, message, at: now },
        },
        now,
      )
    },
  }
}

interface Provider {
  readonly adapter: TraceAdapter
  readonly session: ProviderSession
}

function createBackfill(
  { kernel, workers, media }: BackfillDependencies,
  job: JobContext<Input>,
  id: string,
  { adapter, session }: Provider,
) {
  const { db, ids, clock } = kernel

  const current = (): StoredIntegration & { readonly backfill: Backfill } => {
    const found = findIntegration(db, id)
    if (!found?.record.backfill) throw new Error(`The integration ${id} has no window.`)
    return { ...found, backfill: found.record.backfill }
  }
  const wait = (ms: number) => delay(ms, undefined, { signal: job.signal })

  const waitForProvider = async (ms: number) => {
    const until = new Date(clock.now().getTime() + ms).toISOString()
    job.commit(() => changeIntegration(db, id, { backfill: { ...current().backfill, retry_at: until } }, timestamp(clock)))
    await wait(ms)
    job.commit(() => changeIntegration(db, id, { backfill: { ...current().backfill, retry_at: null } }, timestamp(clock)))
  }

  const scopeOf = ({ record, backfill, workspaceId, provider }: ReturnType<typeof current>): SpanScope => ({
    workspaceId,
    source: provider,
    project: `${record.base_url} ${record.project.id}`,
    integrationId: id,
    readBy: `${id} ${backfill.started_at}`,
    room: backfill.max_traces === null ? Number.POSITIVE_INFINITY : Math.max(0, backfill.max_traces - backfill.traces),
    keepFiles: media.recordOfTrace,
  })
  /** No page waits for the disk: what a power failure takes is read again from the place before it. */
  const commit = <Result>(write: () => Result): Result => withoutFlush(db, () => job.commit(write))

  /**
   * Stores a page a part at a time, so that other requests are answered between, and last the place after it. A kill between reads the
   * page again: its spans are there then and change nothing, traces and new spans were counted with them, and the page counts at its end.
   */
  const storePage = async (
    page: ReadPage,
    deprecation: Deprecation | null,
    place: BackfillPlace,
    window: BackfillWindow,
  ): Promise<boolean> => {
    let spans = 0
    const kept = new Set<string>()
    for (const part of inParts(page.rows)) {
      commit(() => {
        const before = current()
        const { backfill } = before
        const now = timestamp(clock)
        const stored = storeSpans(db, scopeOf(before), part, () => ids.next(), now)
        spans += stored.spans
        for (const trace of stored.kept) kept.add(trace)
        const counted: Backfill = {
          ...backfill,
          traces: backfill.traces + stored.traces,
          new_traces: backfill.new_traces + stored.newTraces,
          new_spans: backfill.new_spans + stored.newSpans,
        }
        changeIntegration(db, id, { backfill: counted }, now)
      })
      await nextTurn()
    }
    return finishPage(page, deprecation, place, window, { spans, kept })
  }

  /** Counts a page whose spans are stored, and moves on. Answers whether the window is read. */
  const finishPage = (
    page: ReadPage,
    deprecation: Deprecation | null,
    place: BackfillPlace,
    window: BackfillWindow,
    { spans, kept }: { readonly spans: number; readonly kept: ReadonlySet<string> },
  ): boolean =>
    commit(() => {
      const present = current()
      const { backfill } = present
      const now = timestamp(clock)
      storeAnnotations(db, scopeOf(present), page.annotations)
      const isFull = backfill.max_traces !== null && backfill.traces >= backfill.max_traces
      const next = nextOf(page, place, isFull, kept)
      const notice = deprecation ?? (page.deprecation === null ? null : { message: page.deprecation, sunsetAt: null })
      const isRead = next === null
      const after: Backfill = {
        ...backfill,
        pages: backfill.pages + 1,
        spans: backfill.spans + spans,
        fraction: isRead ? 1 : fractionOf(adapter.order, page, window, backfill.fraction),
        finished_at: isRead ? now : null,
        retry_at: null,
      }
      changeIntegration(
        db,
        id,
        {
          backfill: after,
          place: next,
          ...(notice
            ? {
                deprecation: {
                  message: notice.message,
                  sunset_at: notice.sunsetAt === null ? null : new Date(notice.sunsetAt).toISOString(),
                },
              }
            : {}),
          ...(isRead
            ? { nextWindowAt: backfill.follow ? new Date(clock.now().getTime() + followEveryMs).toISOString() : null, lastError: null }
            : {}),
        },
        now,
      )
      if (isRead) transition(db, traceIntegrationMachine, statusColumn, id, 'finish', now)
      job.progress({ done: after.spans, total: null, message: `${after.spans} spans of ${after.traces} traces` })
      return isRead
    })

  const loseAccess = (fault: ProviderFault): never => {
    const message = fault.said === null ? fault.message : `${fault.message} The provider said: ${fault.said}`
    job.commit(() => {
      const now = timestamp(clock)
      transition(db, traceIntegrationMachine, statusColumn, id, 'lose_access', now, fault.code)
      changeIntegration(
        db,
        id,
        { backfill: { ...current().backfill, retry_at: null }, lastError: { code: fault.code, message, at: now } },
        now,
      )
    })
    throw new ApiError('provider_error', message)
  }

  /** After a fault: the place to continue from, once it is time. */
  const recoverFrom = async (
    fault: unknown,
    place: BackfillPlace,
    window: BackfillWindow,
    troubles: Troubles,
    pace: Pace,
  ): Promise<BackfillPlace> => {
    if (!(fault instanceof ProviderFault) || fault.code === 'cancelled') throw fault
    if (fault.code === 'credential_refused') return loseAccess(fault)
    if (fault.code === 'rate_limited') {
      pace.throttled()
      troubles.throttles += 1
      if (troubles.throttles > mostThrottles)
        throw new ApiError('provider_error', `${fault.message} It did so ${mostThrottles} times in a row.`)
      await waitForProvider(Math.min(longestRetryMs, fault.retryAfterMs ?? backoff(troubles.throttles)))
      return place
    }
    const recovered = adapter.recover(fault, place, window)
    if (recovered) return recovered
    if (fault.code === 'not_found') return loseAccess(fault)
    troubles.failures += 1
    if (fault.code !== 'unavailable' || troubles.failures > mostFailures)
      throw new ApiError('provider_error', fault.said === null ? fault.message : `${fault.message} The provider said: ${fault.said}`)
    await waitForProvider(fault.retryAfterMs ?? backoff(troubles.failures))
    return place
  }

  return {
    readWindow: async () => {
      const { record, backfill, place: stored } = current()
      const window: BackfillWindow = { project: record.project, from: backfill.from, to: backfill.to, onlyRoots: backfill.only_roots }
      const pace = createPace(adapter.isHosted(new URL(record.base_url)) ? adapter.pace : null)
      let troubles: Troubles = { failures: 0, throttles: 0 }
      let place = stored ?? adapter.startBackfill(window)
      for (;;) {
        const ms = pace.delay(clock.now().getTime())
        if (ms > 0) await wait(ms)
        pace.sent(clock.now().getTime())
        let reply: ProviderReply
        try {
          reply = await session.send(adapter.backfillRequest(place, window), job.signal)
        } catch (fault) {
          place = await recoverFrom(fault, place, window, troubles, pace)
          continue
        }
        pace.accepted()
        troubles = { failures: 0, throttles: 0 }
        const read = await workers.run({ kind: 'page', provider: adapter.source, body: reply.body, place, window }, job.signal)
        if (!read.ok) throw new ApiError('provider_error', read.message)
        requireProgress(place, read.value)
        if (await storePage(read.value, reply.deprecation, place, window)) return
        place = current().place ?? place
      }
    },
  }
}

interface Troubles {
  failures: number
  throttles: number
}

function backoff(times: number): number {
  return Math.min(longestBackoffMs, 1000 * 2 ** (times - 1))
}

/** @throws ApiError where the provider would have us read the same page without end */
function requireProgress(place: BackfillPlace, { next, received }: ReadPage): void {
  if (next === null || next.cursor === null || next.phase !== place.phase || next.from !== place.from || next.pending.length > 0) return
  if (next.cursor === place.cursor)
    throw new ApiError('provider_error', 'The provider answered the same cursor twice, so the rest of the window can’t be read.')
  if (received === 0)
    throw new ApiError('provider_error', 'The provider answered an empty page with a cursor, so the rest of the window can’t be read.')
}

/** Once enough traces are read, only their own spans are of interest: the window ends with the first page that has none. */
function nextOf({ next }: ReadPage, place: BackfillPlace, isFull: boolean, kept: ReadonlySet<string>): BackfillPlace | null {
  if (!isFull || next === null || next.phase === 'scores') return next
  if (next.phase === 'spans') return kept.size === 0 || place.phase === 'runs' ? null : next
  // Traces that were listed are read to their end; those that found no room are not.
  const pending = place.phase === 'runs' ? next.pending : next.pending.filter(({ id }) => kept.has(id))
  return pending.length === 0 ? null : { ...next, cursor: null, pending }
}

function fractionOf(order: TraceAdapter['order'], { rows }: ReadPage, { from, to }: BackfillWindow, before: number | null): number | null {
  if (order === null) return null
  const starts = rows.map(({ startedAt }) => Date.parse(startedAt))
  if (starts.length === 0) return before
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const read = order === 'descending' ? end - Math.min(...starts) : Math.max(...starts) - begin
  return Math.max(before ?? 0, Math.min(1, Math.max(0, read / Math.max(1, end - begin))))
}
