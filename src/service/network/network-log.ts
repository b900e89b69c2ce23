import { guarded } from '../../lib/guarded.ts'
import type { NetworkHost } from '../../contract/network/network.schemas.ts'
import type { Proxies } from '../../engine/clients/http/proxies.ts'
import type { TrafficMeter } from '../../engine/clients/traffic.ts'
import type { PageQuery } from '../../storage/keyset.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { addTotals, listHosts, mostCounted, type NetworkTotals } from './network.store.ts'

/** Milliseconds that counts wait in memory: a call costs an addition, not a write. A crash loses no more than these. */
const flushEvery = 5_000

type Exchanged = Pick<NetworkTotals, 'origin' | 'requests' | 'sent_bytes' | 'received_bytes'>

export interface NetworkLog {
  /** Counts what is exchanged for a workspace. */
  meterFor(workspaceId: string): TrafficMeter
  /** Counts what another machine exchanged for a workspace. */
  add(workspaceId: string, exchanged: Exchanged, proxy?: string | null): void
  list(workspaceId: string, query: PageQuery): { items: NetworkHost[]; next_cursor: string | null }
  /** Through which servers are called now; asked for each client that is opened. */
  proxies(): Proxies | undefined
  /** Stores what was counted. */
  close(): void
}

export function createNetworkLog(
  { db, clock, log, storage }: Pick<Kernel, 'db' | 'clock' | 'log'> & { readonly storage: Pick<Kernel['storage'], 'attempt'> },
  proxies: () => Proxies | undefined = () => undefined,
): NetworkLog {
  let counted = new Map<string, { -readonly [K in keyof NetworkTotals]: NetworkTotals[K] }>()
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const totals = counted
    if (totals.size === 0) return
    storage.attempt(() => {
      addTotals(db, [...totals.values()])
      counted = new Map()
    })
    // The disk took nothing: later, then, together with what comes until then.
    if (counted === totals) schedule()
  }
  const schedule = () => {
    timer ??= setTimeout(
      guarded(flush, error => {
        log.error({ err: error }, 'the network log could not be stored')
        counted = new Map()
      }),
      flushEvery,
    ).unref()
  }
  const add = (workspaceId: string, { origin, requests, sent_bytes, received_bytes }: Exchanged, proxy: string | null = null) => {
    const now = timestamp(clock)
    const key = `${workspaceId} ${origin}`
    const known = counted.get(key)
    if (known) {
      known.requests = saturating(known.requests + requests)
      known.sent_bytes = saturating(known.sent_bytes + sent_bytes)
      known.received_bytes = saturating(known.received_bytes + received_bytes)
      known.proxy = proxy
      known.last_at = now
    } else counted.set(key, { workspaceId, origin, requests, sent_bytes, received_bytes, proxy, first_at: now, last_at: now })
    schedule()
  }
  return {
    add,
    proxies,
    meterFor: workspaceId => (origin, sent, received, proxy) =>
      add(workspaceId, { origin, requests: 1, sent_bytes: sent, received_bytes: received }, proxy),
    list: (workspaceId, query) => {
      flush()
      return listHosts(db, workspaceId, query)
    },
    close: () => {
      flush()
      clearTimeout(timer)
    },
  }
}

function saturating(count: number): number {
  return Math.min(count, mostCounted)
}
