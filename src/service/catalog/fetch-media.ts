import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { mostMediaBytes } from '../../contract/media/media.schemas.ts'
import type { AddressPolicy } from '../../engine/clients/address-policy.ts'
import { type Downloaded, download } from '../../engine/clients/http/download.ts'
import type { TrafficMeter } from '../../engine/clients/traffic.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import type { FetchProgress } from './fetch-recipe.ts'
import { FetchedFolder } from './fetched-folder.ts'

const deadlineMs = 2 * 60_000
const idleTimeoutMs = 30_000
const inFlight = 4
/** Milliseconds for all files. */
const mostMs = 4 * 3_600_000
/** Milliseconds before the other try of a failure that may pass, and the most that a server may ask for. */
const pauseMs = 1000
const mostPauseMs = 30_000

export interface MediaWay {
  readonly policyFor: (url: URL) => AddressPolicy
  readonly traffic: TrafficMeter
  /** Most bytes over all files. */
  readonly mostBytes: number
  /** @throws ApiError where the disk has no room for so many bytes */
  readonly requireRoom: (bytes: number) => void
  /** Milliseconds for one file; two minutes when absent. */
  readonly deadlineMs?: number
  /** Milliseconds for all files; four hours when absent. */
  readonly mostMs?: number
  /** Milliseconds before the other try of a failure that may pass; a second when absent. */
  readonly pauseMs?: number
}

/**
 * Downloads media to a folder, each address once: what the folder has is kept, and why an address could not be had lies there, too. No
 * request carries credentials, and none is sent on to another host.
 * @param addresses at hosts that a person named
 * @throws Error where this machine is to blame, such as a full disk; no address is then said to have failed
 */
export async function fetchMedia(
  addresses: readonly string[],
  folder: string,
  way: MediaWay,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const fetched = await FetchedFolder.open(folder)
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const endsAt = performance.now() + (way.mostMs ?? mostMs)
  let done = 0
  const publish: Publish = ({ host, origin, pathname }, received, total) =>
    onProgress({
      url: `${origin}${pathname}`,
      file_name: pathname.split('/').at(-1) || host,
      file_number: Math.min(addresses.length, done + 1),
      file_count: addresses.length,
      received_bytes: received,
      total_bytes: total,
    })
  const attempt = createAttempts(way, createBudget(way, fetched.bytesAtFirst), publish, either)
  const queue = addresses.values()
  const work = async (): Promise<void> => {
    for (const address of queue) {
      if (performance.now() > endsAt)
        fetched.fail('', `The media files of one import are downloaded for at most ${(way.mostMs ?? mostMs) / 3_600_000} hours.`)
      if (either.aborted || fetched.knows('')) return
      const url = new URL(address)
      const isKnown = fetched.knows(address) || fetched.knows(url.host)
      const result = isKnown ? null : await attempt(url, fetched.partOf(address))
      if (!isKnown && !either.aborted) {
        if (result) fetched.end(address, url.host, result)
        else
          fetched.fail('', `The media files of one import have at most ${formatBytes(way.mostBytes)} together, those that failed included.`)
      }
      // Those that are there already must not hold up the service.
      if (++done % 256 === 0) await setImmediate()
      const bytes = result?.ok ? result.bytes : 0
      publish(url, bytes, bytes)
    }
  }
  const ended = await Promise.allSettled(
    Array.from({ length: inFlight }, () =>
      work().catch((error: unknown) => {
        stop.abort()
        throw error
      }),
    ),
  )
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

type Publish = (url: URL, received: number, total: number | null) => void

/** Downloads one file within the budget, and once more after a failure that may pass; null where no bytes are left or it was stopped. */
function createAttempts(way: MediaWay, budget: ReturnType<typeof createBudget>, publish: Publish, signal: AbortSignal) {
  const attempt = async (url: URL, path: string): Promise<Downloaded | null> => {
    const most = await budget.take()
    let result: Downloaded | null = null
    try {
      if (most <= 0 || signal.aborted) return null
      result = await download(url.href, path, {
        addressPolicy: way.policyFor(url),
        redirectHosts: [],
        maxBytes: most,
        deadlineMs: way.deadlineMs ?? deadlineMs,
        idleTimeoutMs,
        signal,
        traffic: way.traffic,
        onProgress: (received, total) => publish(url, received, total),
      })
      return result.ok && result.bytes === 0 ? { ok: false, why: `${url.host} sent an empty file.`, bytes: 0, waitMs: null } : result
    } finally {
      budget.give(most, result)
    }
  }
  return async (url: URL, path: string): Promise<Downloaded | null> => {
    const result = await attempt(url, path)
    if (result === null || result.ok || result.waitMs === null) return result
    const pause = Math.min(mostPauseMs, Math.max(way.pauseMs ?? pauseMs, result.waitMs))
    await delay(pause, undefined, { signal }).catch(() => undefined)
    return attempt(url, path)
  }
}

/** Bytes that are left, of which each download takes what one file may have until it is known how much it was. */
function createBudget({ mostBytes, requireRoom }: MediaWay, had: number) {
  let left = mostBytes - had
  let kept = had
  let taken = 0
  let given = Promise.withResolvers<void>()
  return {
    /** Most bytes of the next file; 0 or less: none. Where little is left, it is known first what the others need of it. */
    take: async (): Promise<number> => {
      while (left < mostMediaBytes && taken > 0) await given.promise
      const most = Math.max(0, Math.min(mostMediaBytes, left))
      // Each file is stored once more when its rows are imported.
      requireRoom(kept + 2 * (taken + most))
      left -= most
      taken += most
      return most
    },
    give: (most: number, result: Downloaded | null): void => {
      left += most - (result?.bytes ?? 0)
      if (result?.ok) kept += result.bytes
      taken -= most
      given.resolve()
      given = Promise.withResolvers()
    },
  }
}
