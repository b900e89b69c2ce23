import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Downloaded } from '../../engine/clients/http/download.ts'
import { fetchedPaths } from '../../engine/importing/media/remote-media.ts'

/** Failures in a row after which nothing more is asked of a host. */
const mostInRow = 20
/** Failures in all from which on nothing more is asked of a host of which fewer files came. */
const mostFailures = 100
const longestReason = 1000

const noneYet = { failed: 0, failedInRow: 0, came: 0 }

/** What was fetched of the addresses of an import: a file for each that came, and one with the reason for each that did not. */
export class FetchedFolder {
  readonly #path: string
  readonly #names: Set<string>
  readonly #tallies = new Map<string, typeof noneYet>()
  readonly bytesAtFirst: number

  private constructor(path: string, names: Set<string>, bytes: number) {
    this.#path = path
    this.#names = names
    this.bytesAtFirst = bytes
  }

  /** Without what an ended attempt left in part and what was said of all addresses together. */
  static async open(path: string): Promise<FetchedFolder> {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const names = new Set<string>()
    let bytes = 0
    rmSync(fetchedPaths(path, '').failure, { force: true })
    for await (const { name } of await opendir(path)) {
      const file = join(path, name)
      const { size } = await stat(file)
      if (size === 0 || name.endsWith('.part')) {
        rmSync(file)
        continue
      }
      names.add(name)
      bytes += size
    }
    return new FetchedFolder(path, names, bytes)
  }

  /** @param name an address, a host, or nothing: all addresses together */
  knows(name: string): boolean {
    const { bytes, failure } = fetchedPaths(this.#path, name)
    return this.#names.has(basename(bytes)) || this.#names.has(basename(failure))
  }

  /** Where a download is written before it is whole. */
  partOf(address: string): string {
    return `${fetchedPaths(this.#path, address).bytes}.part`
  }

  /** Nothing more is asked of the address, the host, or, for no name, of anybody. */
  fail(name: string, why: string): void {
    const path = fetchedPaths(this.#path, name).failure
    writeFileSync(path, why.slice(0, longestReason))
    this.#names.add(basename(path))
  }

  /** Keeps what became of an address, and gives up on a host of which too little comes. */
  end(address: string, host: string, result: Downloaded): void {
    if (result.ok) renameSync(this.partOf(address), fetchedPaths(this.#path, address).bytes)
    else this.fail(address, result.why)
    const { failed, failedInRow, came } = this.#tallies.get(host) ?? noneYet
    const now = result.ok ? { failed, failedInRow: 0, came: came + 1 } : { failed: failed + 1, failedInRow: failedInRow + 1, came }
    this.#tallies.set(host, now)
    if (result.ok || this.knows(host)) return
    const isRow = now.failedInRow >= mostInRow
    if (!isRow && (now.failed < mostFailures || now.failed <= now.came)) return
    const count = isRow ? `${mostInRow} failures in a row` : `${now.failed} failures`
    this.fail(host, `Gave up on ${host} after ${count}. Last error: ${result.why}`)
  }
}
