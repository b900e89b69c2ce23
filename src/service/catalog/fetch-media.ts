import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { ImportForm } from '../../contract/catalog/imports.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { mostMediaBytes } from '../../contract/media/media.schemas.ts'
import type { AddressPolicy } from '../../engine/clients/address-policy.ts'
import { classifyHost, type HostClass } from '../../engine/clients/addresses/classify-host.ts'
import { type Downloaded, download } from '../../engine/clients/http/download.ts'
import type { TrafficMeter } from '../../engine/clients/traffic.ts'
import { fetchedPaths } from '../../engine/importing/media/remote-media.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { requireRole } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'
import type { FetchProgress } from './fetch-recipe.ts'

const deadlineMs = 2 * 60_000
const idleTimeoutMs = 30_000
const inFlight = 4
/** Failures in a row after which nothing more is asked of a host. */
const mostInRow = 20
/** Failures in all from which on nothing more is asked of a host of which fewer files came. */
const mostFailures = 100
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
 * A host of a private network may be named by an owner or admin alone: what is stored says what answers there. So may this machine
 * where other machines reach the service.
 * @throws ApiError human_approval_required, owner_session_required, validation_error
 */
export function requireMediaHosts({ fetch_media: hosts = {} }: ImportForm, { principal, workspace }: Asker, isRemote: boolean): void {
  for (const host of Object.keys(hosts)) {
    const url = URL.parse(`http://${host}`)
    // Port 80 is left out of what a URL says of itself.
    if (!url || url.host !== host.replace(/:80$/, ''))
      throw invalidField(
        ['body', 'fetch_media', host],
        'must be a host as addresses have it, in lower case, with its port where they state one',
      )
    const found = classifyHost(url.hostname)
    if (!isPrivate(found) && !(isRemote && found.reach === 'loopback')) continue
    if (principal.kind === 'api_key')
      throw new ApiError(
        'human_approval_required',
        `A key may have media fetched from public hosts${isRemote ? '' : ' and from this machine'}; ${host} is ${found.what}. Ask an owner or admin to import it.`,
      )
    requireRole(principal, workspace, ['owner', 'admin'], `have media fetched from ${host}, which is ${found.what}`)
  }
}

export function isPrivate({ reach }: HostClass): boolean {
  return reach === 'private' || reach === 'shared'
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
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const had = await cleared(folder)
  const budget = createBudget(way, had.bytes)
  const tallies = new Map<string, { failed: number; failedInRow: number; came: number }>()
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  const endsAt = performance.now() + (way.mostMs ?? mostMs)
  let done = 0
  /** Nothing more is asked of anybody, or of one host. */
  const giveUp = (host: string, why: string): void => {
    const path = fetchedPaths(folder, host).failure
    writeFileSync(path, why)
    had.names.add(basename(path))
  }
  const isAsked = (name: string): boolean => {
    const { bytes, failure } = fetchedPaths(folder, name)
    return had.names.has(basename(bytes)) || had.names.has(basename(failure))
  }
  const attempt = async (url: URL, path: string): Promise<Downloaded | null> => {
    const most = await budget.take()
    let result: Downloaded | null = null
    try {
      if (most <= 0 || either.aborted) return null
      result = await download(url.href, path, {
        addressPolicy: way.policyFor(url),
        redirectHosts: [],
        maxBytes: most,
        deadlineMs: way.deadlineMs ?? deadlineMs,
        idleTimeoutMs,
        signal: either,
        traffic: way.traffic,
        onProgress: (received, total) => publish(url, received, total),
      })
      return result.ok && result.bytes === 0 ? { ok: false, why: `${url.host} sent an empty file.`, bytes: 0, waitMs: null } : result
    } finally {
      budget.give(most, result)
    }
  }
  const fetchOne = async (address: string, url: URL): Promise<number> => {
    const paths = fetchedPaths(folder, address)
    const part = `${paths.bytes}.part`
    let result = await attempt(url, part)
    if (result && !result.ok && result.waitMs !== null) {
      const pause = Math.min(mostPauseMs, Math.max(way.pauseMs ?? pauseMs, result.waitMs))
      await delay(pause, undefined, { signal: either }).catch(() => undefined)
      result = await attempt(url, part)
    }
    if (either.aborted) return 0
    if (!result)
      giveUp('', `The media files of one import have at most ${formatBytes(way.mostBytes)} together, those that failed included.`)
    else if (result.ok) renameSync(part, paths.bytes)
    else writeFileSync(paths.failure, result.why.slice(0, 1000))
    if (result) count(url.host, result)
    return result?.ok ? result.bytes : 0
  }
  const count = (host: string, result: Downloaded): void => {
    const { failed, failedInRow, came } = tallies.get(host) ?? { failed: 0, failedInRow: 0, came: 0 }
    const now = result.ok ? { failed, failedInRow: 0, came: came + 1 } : { failed: failed + 1, failedInRow: failedInRow + 1, came }
    tallies.set(host, now)
    if (result.ok || isAsked(host)) return
    const isRow = now.failedInRow >= mostInRow
    if (isRow || (now.failed >= mostFailures && now.failed > now.came))
      giveUp(
        host,
        `Gave up on ${host} after ${isRow ? `${mostInRow} failures in a row` : `${now.failed} failures`}. Last error: ${result.why}`,
      )
  }
  const publish = ({ host, origin, pathname }: URL, received: number, total: number | null): void =>
    onProgress({
      url: `${origin}${pathname}`,
      file_name: pathname.split('/').at(-1) || host,
      file_number: Math.min(addresses.length, done + 1),
      file_count: addresses.length,
      received_bytes: received,
      total_bytes: total,
    })
  const queue = addresses.values()
  const work = async (): Promise<void> => {
    for (const address of queue) {
      if (performance.now() > endsAt)
        giveUp('', `The media files of one import are downloaded for at most ${(way.mostMs ?? mostMs) / 3_600_000} hours.`)
      if (either.aborted || isAsked('')) return
      const url = new URL(address)
      const bytes = isAsked(address) || isAsked(url.host) ? 0 : await fetchOne(address, url)
      // Those that are there already must not hold up the service.
      if (++done % 256 === 0) await setImmediate()
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

/** What a folder holds, without what an ended attempt left in part and what was said of all addresses together. */
async function cleared(folder: string): Promise<{ readonly names: Set<string>; readonly bytes: number }> {
  const names = new Set<string>()
  let bytes = 0
  rmSync(fetchedPaths(folder, '').failure, { force: true })
  for await (const { name } of await opendir(folder)) {
    const path = join(folder, name)
    const { size } = await stat(path)
    if (size === 0 || name.endsWith('.part')) {
      rmSync(path)
      continue
    }
    names.add(name)
    bytes += size
  }
  return { names, bytes }
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
