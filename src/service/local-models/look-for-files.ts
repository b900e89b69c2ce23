import { realpath, stat } from 'node:fs/promises'
import type { LocalModelFolder } from '../../contract/local-models/local-models.schemas.ts'
import type { Workers } from '../../workers/pool.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findFiles, type FoundFile, wellKnownFolders } from './find-files.ts'
import { groupFiles, type ReadFile } from './group-files.ts'
import { listFolders, storedFiles, type StoredFile, storeFile } from './local-models.store.ts'
import { headerOf } from './model-facts.ts'
import { createSharedLook } from './shared-look.ts'

/** Headers read for one look: a large vocabulary takes a tenth of a second. */
const mostHeaders = 100
/** Milliseconds of one look after which no other header is read: the next look continues. */
const mostReadingMs = 10_000
/** Milliseconds for which a header that took too long is not tried again. */
const slowMs = 5 * 60_000
/** Milliseconds for which a look through small folders is good enough. */
const keptMs = 2_000

export interface Scan extends ReturnType<typeof groupFiles> {
  readonly folders: LocalModelFolder[]
  /** Files whose headers another look will read. */
  readonly unread: number
}

export interface FileLook {
  /** Shared by everybody who asks meanwhile, and for a while after. */
  read(): Promise<Scan>
  /** Folders or files are others by now. */
  forget(): void
  /** Whatever is known of it. */
  readHeader(file: Pick<FoundFile, 'path' | 'bytes' | 'modifiedMs'>): Promise<StoredFile>
}

/** Looks for GGUF files in added and well-known folders. */
export function createFileLook({ db, clock }: Pick<Kernel, 'db' | 'clock'>, workers: Pick<Workers, 'readGguf'>): FileLook {
  /** Headers that took too long, which may be the machine's fault. */
  const slow = new Map<string, StoredFile & { readonly triedAt: number }>()
  const readHeader: FileLook['readHeader'] = async ({ path, bytes, modifiedMs }) => {
    const { header, lasts } = await headerOf(workers, path)
    const file = { path, bytes, modifiedMs, header, isAdded: false }
    const read = { ...file, sha256: null }
    if (lasts) {
      slow.delete(path)
      db.transaction(() => storeFile(db, file, timestamp(clock)))
    } else slow.set(path, { ...read, triedAt: clock.now().getTime() })
    return read
  }
  const look = async (): Promise<Scan> => {
    const added = listFolders(db).map(({ id, path }) => ({ id, path, location: 'added' as const }))
    const known = wellKnownFolders().map(folder => ({ ...folder, id: null }))
    const stored = storedFiles(db)
    const found: FoundFile[] = []
    const folders: Scan['folders'][number][] = []
    for (const folder of [...added, ...known]) {
      const { files, problem } = await findFiles(folder)
      found.push(...files)
      folders.push({ ...folder, models: files.length, problem })
    }
    const paths = new Set(found.map(({ path }) => path))
    for (const { path, isAdded } of stored.values()) {
      const facts = isAdded && !paths.has(path) ? await stat(path).catch(() => null) : null
      if (facts) found.push({ path, location: 'added', name: null, bytes: facts.size, modifiedMs: facts.mtimeMs })
    }
    let [read, unread] = [0, 0]
    const files: ReadFile[] = []
    const seen = new Set<string>()
    for (const [path, { triedAt }] of slow) if (clock.now().getTime() - triedAt > slowMs) slow.delete(path)
    const began = performance.now()
    for (const file of found) {
      const real = await realpath(file.path).catch(() => file.path)
      if (seen.has(real)) continue
      seen.add(real)
      const before = [stored.get(file.path), slow.get(file.path)].find(
        one => one?.bytes === file.bytes && one.modifiedMs === file.modifiedMs,
      )
      if (before) files.push({ ...before, location: file.location, givenName: file.name })
      else if (read >= mostHeaders || (read > 0 && performance.now() - began > mostReadingMs)) unread++
      else {
        read++
        files.push({ ...(await readHeader(file)), location: file.location, givenName: file.name })
      }
    }
    return { ...groupFiles(files), folders, unread }
  }
  return { ...createSharedLook(look, { keptMs, stoppedEarly: ({ unread }) => unread > 0 }), readHeader }
}
