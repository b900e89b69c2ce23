import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Files in memory: a commit waits there for no disk, which is a third of the time of a test of the service. */
const inMemory = '/dev/shm'
/** Bytes that must be free in it; containers often have 64 MB. */
const room = 4 * 2 ** 30
const name = 'assay-test-'

let chosen: string | undefined

/** Chosen once for each process, which then removes what processes left that were ended. */
function choose(): string {
  if (freeBytes(inMemory) < room) return tmpdir()
  for (const folder of readdirSync(inMemory)) {
    const owner = /^assay-test-(\d+)-/.exec(folder)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    try {
      rmSync(join(inMemory, folder), { recursive: true, force: true })
    } catch {
      // Of another user.
    }
  }
  return inMemory
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** A folder of its own, gone at the end of the test that asked for it. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  chosen ??= choose()
  const path = mkdtempSync(join(chosen, `${name}${process.pid}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
