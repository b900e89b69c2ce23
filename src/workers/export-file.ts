import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { TextStore } from '../engine/reporting/report/explorer/transcript-selection.ts'

export interface ExportDone {
  readonly bytes: number
  readonly sha256: string
}

/** Bytes that are collected before they are written: formats hand over small pieces. */
const pieceBytes = 65_536

/** Where a file is written until it is whole. */
export function partialOf(path: string): string {
  return `${path}.partial`
}

/** What lies beside a file while it is written: its thread removes them, unless it is ended. */
export function partialsOf(path: string): readonly [file: string, texts: string] {
  return [partialOf(path), partialOf(`${path}.texts`)]
}

/** Writes one export piece by piece. The file gets its name only when it is whole. */
export async function writeExportFile(
  path: string,
  render: (write: (chunk: string | Uint8Array) => Promise<void>) => Promise<void>,
): Promise<ExportDone> {
  const partial = partialOf(path)
  const file = await open(partial, 'w', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  let pieces: Uint8Array[] = []
  let waiting = 0
  const flush = async () => {
    if (waiting === 0) return
    const data = Buffer.concat(pieces)
    pieces = []
    waiting = 0
    hash.update(data)
    bytes += data.length
    await file.writeFile(data)
  }
  try {
    await render(async chunk => {
      const data = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk
      pieces.push(data)
      waiting += data.length
      if (waiting >= pieceBytes) await flush()
    })
    await flush()
    await file.sync()
    await file.close()
    await rename(partial, path)
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    await file.close()
    await rm(partial, { force: true })
    throw error
  }
}

/** Keeps texts in a file beside an export while it is written. A process that dies leaves it to be removed as a partial export is. */
export async function withTextFile(path: string, write: (texts: TextStore) => Promise<void>): Promise<void> {
  const [, name] = partialsOf(path)
  const file = openSync(name, 'w+', 0o600)
  let end = 0
  try {
    await write({
      append: text => {
        const at = end
        for (let done = 0; done < text.length; ) done += writeSync(file, text, done, text.length - done, at + done)
        end += text.length
        return { at, bytes: text.length }
      },
      read: ({ at, bytes }) => {
        const text = Buffer.alloc(bytes)
        for (let done = 0; done < bytes; ) {
          const read = readSync(file, text, done, bytes - done, at + done)
          if (read === 0) throw new Error(`${name} ends before byte ${at + bytes}.`)
          done += read
        }
        return text
      },
    })
  } finally {
    closeSync(file)
    rmSync(name, { force: true })
  }
}
