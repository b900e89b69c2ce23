import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { noSuchArchive } from '../../contract/datasets/several-archives.ts'
import { type MediaFile, mostArchiveBytes, mostArchiveFiles } from '../../contract/media/media.schemas.ts'
import { digestsIn } from '../../engine/importing/datasets/example-archive.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatNumber } from '../../lib/format/numbers.ts'
import type { Need } from '../../storage/reads/version-needs.ts'

/** Below what an import takes: an archive has its own headers, its rows in parts and a list of its files. */
const exportBounds: Need = { files: mostArchiveFiles - 1000, bytes: 0.95 * mostArchiveBytes }

/** Headers of a file, and what the list says of it. */
const overhead = 512

/** Facts of the files that the workspace has, by digest. */
export type FactsOf = (digests: readonly string[]) => ReadonlyMap<string, MediaFile>

/** The examples of one archive, counted from 0. */
interface Portion {
  readonly from: number
  readonly to: number
}

/**
 * The examples of one archive of a version: all of them, or a part that an import takes.
 * @param needs what it takes at most: where that is one archive, no example is read for this
 * @param part from 1; absent where one archive is expected to do
 * @throws ApiError validation_error where the version needs several, and for a part that is not there
 */
export async function choosePortion(
  batches: Iterable<readonly FrozenExample[]>,
  needs: Iterable<Need>,
  factsOf: FactsOf,
  part: number | undefined,
  bounds = exportBounds,
): Promise<Portion> {
  const starts = (await isWithin(needs, bounds)) ? [0] : await archiveStarts(batches, factsOf, bounds)
  const from = part === undefined && starts.length > 1 ? undefined : starts[(part ?? 1) - 1]
  if (from === undefined)
    throw noSuchArchive(
      starts.length,
      part === undefined
        ? `An import takes archives of up to ${formatBytes(mostArchiveBytes)} and ${formatNumber(mostArchiveFiles)} files, and this version makes ${starts.length}. Export them one by one, as the parts 1 to ${starts.length}: each holds other examples with their files.`
        : `part must be at most ${starts.length}: this version makes no more archives`,
    )
  return { from, to: starts[part ?? 1] ?? Number.POSITIVE_INFINITY }
}

export function* portionOf(batches: Iterable<readonly FrozenExample[]>, { from, to }: Portion): Generator<readonly FrozenExample[]> {
  let place = 0
  for (const batch of batches) {
    if (place >= to) return
    yield batch.slice(Math.max(0, from - place), Math.max(0, to - place))
    place += batch.length
  }
}

async function isWithin(needs: Iterable<Need>, bounds: Need): Promise<boolean> {
  let [files, bytes] = [0, 0]
  for (const need of needs) {
    files += need.files
    bytes += need.bytes + need.files * overhead
    if (files > bounds.files || bytes > bounds.bytes) return false
    await nextTurn()
  }
  return true
}

/** The first example of each archive. */
async function archiveStarts(batches: Iterable<readonly FrozenExample[]>, factsOf: FactsOf, bounds: Need): Promise<number[]> {
  const starts = [0]
  let digests = new Set<string>()
  let bytes = 0
  let place = 0
  for (const batch of batches) {
    for (const example of batch) {
      const line = JSON.stringify(example)
      const own = digestsIn(line)
      const bytesOf = (named: readonly string[]): number =>
        [...factsOf(named).values()].reduce((sum, file) => sum + file.bytes + overhead, Buffer.byteLength(line))
      const added = [...own].filter(digest => !digests.has(digest))
      const more = bytesOf(added)
      if (place > (starts.at(-1) ?? 0) && (digests.size + added.length > bounds.files || bytes + more > bounds.bytes)) {
        starts.push(place)
        digests = new Set(own)
        bytes = bytesOf([...own])
      } else {
        for (const digest of added) digests.add(digest)
        bytes += more
      }
      place++
    }
    await nextTurn()
  }
  return starts
}
