import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaTypeOf } from '../../engine/media/inspect-media.ts'
import { fetchedPaths } from '../../engine/importing/media/remote-media.ts'
import type { Kernel } from '../kernel.ts'

/** For how long media that a failed import downloaded are kept. */
export const keptHours = 24
/** Bytes by which the type of a file is told. */
const firstBytes = 4096

/** Media that were downloaded for imports that failed, so that the next try asks for what is missing alone. */
export interface KeptDownloads {
  /** Takes what came of a folder, in place of what an earlier import left. @returns the number of files */
  keep(workspaceId: string, folder: string): number
  /** Moves what is kept of addresses to a folder. A file that is not a media file, such as a sign-in page, is downloaded again. */
  adopt(workspaceId: string, folder: string, addresses: readonly string[]): Promise<void>
  /** Removes what was kept for long enough. */
  sweep(): void
}

export function createKeptDownloads({
  config,
  clock,
}: Pick<Kernel, 'clock'> & { readonly config: Pick<Kernel['config'], 'dataDir'> }): KeptDownloads {
  const root = join(config.dataDir, 'cache', 'fetched-media')
  const sweep = () => {
    const now = clock.now().getTime()
    for (const name of existsSync(root) ? readdirSync(root) : []) {
      const age = now - statSync(join(root, name)).mtimeMs
      // A time beyond now is of a clock that was ahead.
      if (age < 0 || age >= keptHours * 3_600_000) rmSync(join(root, name), { recursive: true, force: true })
    }
  }
  return {
    sweep,
    keep: (workspaceId, folder) => {
      sweep()
      const names = existsSync(folder) ? readdirSync(folder) : []
      const came = names.filter(name => !name.includes('.'))
      if (came.length === 0) return 0
      for (const name of names) if (name.includes('.')) rmSync(join(folder, name), { force: true })
      const kept = join(root, workspaceId)
      rmSync(kept, { recursive: true, force: true })
      mkdirSync(root, { recursive: true, mode: 0o700 })
      renameSync(folder, kept)
      utimesSync(kept, clock.now(), clock.now())
      return came.length
    },
    adopt: async (workspaceId, folder, addresses) => {
      sweep()
      const kept = join(root, workspaceId)
      if (!existsSync(kept)) return
      const names = new Set(readdirSync(kept))
      const { mtime } = statSync(kept)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      for (const address of addresses) {
        const name = fetchedPaths('', address).bytes
        const path = join(kept, name)
        if (!names.has(name) || existsSync(join(folder, name)) || !(await isMediaFile(path))) continue
        renameSync(path, join(folder, name))
      }
      utimesSync(kept, mtime, mtime)
    },
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
