import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import type { FetchedFile } from '../../engine/importing/recipes/recipe.ts'
import { createAddressPolicy } from '../../engine/clients/address-policy.ts'
import { download } from '../../engine/clients/http/download.ts'
import type { Proxies } from '../../engine/clients/http/proxies.ts'
import type { TrafficMeter } from '../../engine/clients/traffic.ts'
import type { ReceivedFile } from './receive-upload.ts'

/** Milliseconds for one file: the largest has to come over a slow line, and a server that trickles must not hold on without end. */
const deadlineMs = 30 * 60_000
const idleTimeoutMs = 30_000

export interface FetchWay {
  readonly ownOrigin: string | null
  readonly proxies: Proxies | undefined
  /** Stands in for every host; null for the hosts themselves, which then must have public addresses. */
  readonly mirror: string | null
  readonly traffic: TrafficMeter
  /** Most bytes over all files. */
  readonly mostBytes: number
}

export type FetchProgress = NonNullable<ImportRecord['fetch']>

export type FetchedRecipe =
  | { readonly ok: true; readonly fetched: readonly { readonly file: ReceivedFile; readonly wanted: FetchedFile }[] }
  | { readonly ok: false; readonly file: string; readonly message: string }

/** Downloads the files of a recipe one after the other; the first that fails ends it. */
export async function fetchRecipe(
  wanted: readonly FetchedFile[],
  folder: string,
  { ownOrigin, proxies, mirror, traffic, mostBytes }: FetchWay,
  onProgress: (progress: FetchProgress) => void,
  signal: AbortSignal,
): Promise<FetchedRecipe> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fetched: { file: ReceivedFile; wanted: FetchedFile }[] = []
  let left = mostBytes
  for (const [i, one] of wanted.entries()) {
    const name = new URL(one.url).pathname.split('/').at(-1) || one.fileName
    const path = join(folder, String(i))
    const result = await download(one.url, path, {
      addressPolicy: createAddressPolicy({ ownOrigin, proxies, reach: mirror === null ? 'public' : 'anywhere' }),
      redirectHosts: one.download.redirectHosts,
      maxBytes: left,
      deadlineMs,
      idleTimeoutMs,
      signal,
      traffic,
      onProgress: (received, total) =>
        onProgress({
          url: one.url,
          file_name: name,
          file_number: i + 1,
          file_count: wanted.length,
          received_bytes: received,
          total_bytes: total,
        }),
      ...(mirror === null ? {} : { locate: url => new URL(`${mirror}/${url.host}${url.pathname}${url.search}`) }),
    })
    if (!result.ok) return { ok: false, file: name, message: `${result.why} Download ${name} yourself from ${one.url} and import it here.` }
    left -= result.bytes
    fetched.push({ file: { name, path, bytes: result.bytes, sha256: result.sha256 }, wanted: one })
  }
  return { ok: true, fetched }
}
