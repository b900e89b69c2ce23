import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const chunk = 1024 * 1024
const chunks = 16

/** Bytes that must be free for it to be laid: as much again stays free. */
const room = 2 * chunks * chunk

/**
 * A file whose only use is to be deleted: when the disk is full, its 16 MB are what Assay writes its state into, and what lets a person
 * delete runs to make more room.
 */
export interface Ballast {
  /** Gives its bytes to the disk; false where there were none to give. */
  drop(): boolean
  /** Takes the bytes aside again; false while the disk has too few. */
  lay(): boolean
}

export function ballastIn(dataDir: string): Ballast {
  const path = join(dataDir, 'ballast')
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.size === chunks * chunk
  return {
    drop: () => {
      try {
        if (!isThere()) return false
        rmSync(path)
        return true
      } catch {
        // A disk that takes no change at all; the failed write reports the error.
        return false
      }
    },
    lay: () => {
      try {
        if (isThere()) return true
        const { bavail, bsize } = statfsSync(dataDir)
        if (bavail * bsize < room) return false
        write(path)
        return true
      } catch {
        rmSync(path, { force: true })
        return false
      }
    },
  }
}

/** Of random bytes: some file systems keep no blocks for zeros. */
function write(path: string): void {
  const bytes = randomFillSync(Buffer.alloc(chunk))
  const file = openSync(path, 'w', 0o600)
  try {
    for (let i = 0; i < chunks; i++) writeSync(file, bytes)
  } finally {
    closeSync(file)
  }
}
