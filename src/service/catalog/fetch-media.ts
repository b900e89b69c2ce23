import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ImportForm } from '../../contract/catalog/imports.schemas.ts'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { mostMediaBytes } from '../../contract/media/media.schemas.ts'
import type { AddressPolicy } from '../../engine/clients/address-policy.ts'
import { classifyHost, type HostClass } from '../../engine/clients/addresses/classify-host.ts'
import { download } from '../../engine/clients/http/download.ts'
import type { TrafficMeter } from '../../engine/clients/traffic.ts'
import { fetchedPaths, wasAskedFor } from '../../engine/importing/media/remote-media.ts'
import { requireRole } from '../auth/index.ts'
import type { Asker } from '../http/handler.ts'
import type { FetchProgress } from './fetch-recipe.ts'

const deadlineMs = 2 * 60_000
const idleTimeoutMs = 30_000
const inFlight = 4
/** Failures in a row after which nothing more is asked of a host. */
const mostFailures = 20

export interface MediaWay {
  readonly policyFor: (url: URL) => AddressPolicy
  readonly traffic: TrafficMeter
  /** Most bytes over all files. */
  readonly mostBytes: number
  /** Milliseconds for one file; two minutes when absent. */
  readonly deadlineMs?: number
}

/**
 * A host of a private network may be named by an owner or admin alone: what is stored says what answers there.
 * @throws ApiError human_approval_required, owner_session_required, validation_error
 */
export function requireMediaHosts({ fetch_media: hosts = {} }: ImportForm, { principal, workspace }: Asker): void {
  for (const host of Object.keys(hosts)) {
    const url = URL.parse(`http://${host}`)
    // Port 80 is left out of what a URL says of itself.
    if (!url || url.host !== host.replace(/:80$/, ''))
      throw invalidField(
        ['body', 'fetch_media', host],
        'must be a host as addresses have it, in lower case, with its port where they state one',
      )
    if (!isPrivate(classifyHost(url.hostname))) continue
    if (principal.kind === 'api_key')
      throw new ApiError(
        'human_approval_required',
        `A key may have media fetched from public hosts and from this machine; ${host} is ${classifyHost(url.hostname).what}. Ask an owner or admin to import it.`,
      )
    requireRole(principal, workspace, ['owner', 'admin'], `fetch media from the private network (${host})`)
  }
}

export function isPrivate({ reach }: HostClass): boolean {
  return reach === 'private' || reach === 'shared'
}

/**
 * Downloads media to a folder, each address once: what the folder has is kept, and why an address could not be had lies there, too. No
 * request carries credentials.
 * @param addresses at hosts that a person named
 */
export async function fetchMedia(
  addresses: readonly string[],
  folder: string,
  way: MediaWay,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const hosts = [...new Set(addresses.map(address => new URL(address).host))]
  const failures = new Map<string, { inRow: number; last: string }>()
  let left = way.mostBytes
  let done = 0
  const fetchOne = async (address: string, url: URL): Promise<number> => {
    const paths = fetchedPaths(folder, address)
    const before = failures.get(url.host)
    const isGivenUp = before !== undefined && before.inRow >= mostFailures
    const result = isGivenUp
      ? {
          ok: false as const,
          why: `Nothing more was asked of ${url.host} after ${mostFailures} failures in a row. The last: ${before.last}`,
        }
      : await fetchTo(`${paths.bytes}.part`, url)
    if (signal.aborted) return 0
    if (result.ok) {
      left -= result.bytes
      failures.delete(url.host)
      renameSync(`${paths.bytes}.part`, paths.bytes)
    } else {
      // Others of the host may have ended meanwhile.
      if (!isGivenUp) failures.set(url.host, { inRow: (failures.get(url.host)?.inRow ?? 0) + 1, last: result.why })
      writeFileSync(paths.failure, result.why.slice(0, 1000))
    }
    return result.ok ? result.bytes : 0
  }
  const fetchTo = async (path: string, url: URL): ReturnType<typeof download> => {
    if (url.username !== '' || url.password !== '')
      return { ok: false, why: 'The address holds a user name or password, and no credentials are sent.' }
    if (left <= 0) return { ok: false, why: `The files of one import have at most ${way.mostBytes.toLocaleString('en')} bytes together.` }
    // What an attempt left that was ended.
    rmSync(path, { force: true })
    return download(url.href, path, {
      addressPolicy: way.policyFor(url),
      redirectHosts: hosts,
      maxBytes: Math.min(mostMediaBytes, left),
      deadlineMs: way.deadlineMs ?? deadlineMs,
      idleTimeoutMs,
      signal,
      traffic: way.traffic,
      onProgress: (received, total) => publish(url, received, total),
    })
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
      if (signal.aborted) return
      const url = new URL(address)
      const bytes = wasAskedFor(folder, address) ? 0 : await fetchOne(address, url)
      done++
      publish(url, bytes, bytes)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work))
}
