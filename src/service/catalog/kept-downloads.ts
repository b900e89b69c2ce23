import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { catalogEndpoints } from '../../contract/catalog/catalog.endpoints.ts'
import { mediaTypeOf } from '../../engine/media/inspect-media.ts'
import { fetchedPaths } from '../../engine/importing/media/remote-media.ts'
import type { Kernel } from '../kernel.ts'

/** For how long media that a failed import downloaded are kept. */
const keptHours = 24
/** Bytes by which the type of a file is told. */
const firstBytes = 4096

/** Media that were downloaded for imports that failed, so that the next try asks for what is missing alone. */
export interface KeptDownloads {
  /** Takes the folder of an import, at once; resolves when what there is no room for is removed. */
  keep(workspaceId: string, importId: string, folder: string): Promise<void>
  /** Takes a folder that is not kept, at once, if it is there; resolves when it is removed: ten thousand files take a second. */
  drop(folder: string): Promise<void>
  /** Moves what is kept of addresses to a folder. A file that is not a media file, such as a sign-in page, is downloaded again. */
  adopt(workspaceId: string, folder: string, addresses: readonly string[], signal: AbortSignal): Promise<void>
  /** Removes what was kept for long enough, and of each workspace the oldest beyond the bytes of an import. */
  sweep(): Promise<void>
}

/** How many files a folder has that can be kept. */
export function countDownloads(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).filter(name => !name.includes('.')).length : 0
}

/** What the record of a failed import says of its downloads. */
export function describeKept(files: number): string {
  const what = files === 1 ? 'One downloaded media file is' : `${files.toLocaleString('en')} downloaded media files are`
  return `${what} kept for ${keptHours} hours. Import again within that time to download only the others.`
}

/** @param mostBytes bytes of a workspace beyond which no older folder is kept */
export function createKeptDownloads(
  { config, clock }: Pick<Kernel, 'clock'> & { readonly config: Pick<Kernel['config'], 'dataDir'> },
  mostBytes: number = catalogEndpoints.createImport.maxBody,
): KeptDownloads {
  const root = join(config.dataDir, 'cache', 'fetched-media')
  /** A folder for each import, whose name says the workspace and when it was kept; the newest come first. */
  const folders = async () => {
    const now = clock.now().getTime()
    const found = (await namesIn(root)).map(name => {
      const [workspaceId = '', at] = name.split('.')
      // A time beyond now is of a clock that was ahead.
      const age = now - (Number(at) || 0)
      return { path: join(root, name), workspaceId, age, isKept: age >= 0 && age < keptHours * 3_600_000 }
    })
    return found.toSorted((a, b) => a.age - b.age)
  }
  const sweep = async () => {
    const bytes = new Map<string, number>()
    for (const { path, workspaceId, isKept } of await folders()) {
      const newer = bytes.get(workspaceId) ?? 0
      if (isKept && newer < mostBytes) bytes.set(workspaceId, newer + (await bytesIn(path)))
      else await rm(path, { recursive: true, force: true })
    }
  }
  const take = (folder: string, nameOf: () => string): Promise<void> => {
    mkdirSync(root, { recursive: true, mode: 0o700 })
    renameSync(folder, nameOf())
    return sweep()
  }
  return {
    sweep,
    keep: (workspaceId, importId, folder) => take(folder, () => join(root, `${workspaceId}.${clock.now().getTime()}.${importId}`)),
    // A name without a time is too old to be kept.
    drop: folder => (existsSync(folder) ? take(folder, () => join(mkdtempSync(join(root, 'removed-')), 'files')) : Promise.resolve()),
    adopt: async (workspaceId, folder, addresses, signal) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const names = addresses.map(address => fetchedPaths('', address).bytes)
      for (const kept of await folders()) {
        if (kept.workspaceId !== workspaceId || !kept.isKept) continue
        const there = new Set(await namesIn(kept.path))
        for (const name of names.filter(one => there.has(one))) {
          signal.throwIfAborted()
          const [from, to] = [join(kept.path, name), join(folder, name)]
          // Another import may take it meanwhile.
          if (!existsSync(to)) await orMissing(async () => ((await isMediaFile(from)) ? await rename(from, to) : undefined), undefined)
        }
      }
    },
  }
}

const namesIn = (folder: string): Promise<string[]> => orMissing(() => readdir(folder), [])

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await namesIn(folder)) bytes += await orMissing(async () => (await stat(join(folder, name))).size, 0)
  return bytes
}

/** What is read of a file or folder, or `missing` where it is gone. */
async function orMissing<Read>(read: () => Promise<Read>, missing: Read): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return missing
    throw error
  }
}

async function isMediaFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(firstBytes), 0, firstBytes, 0)
    return mediaTypeOf(buffer.subarray(0, bytesRead)) !== null
  } finally {
    await file.close()
  }
}
