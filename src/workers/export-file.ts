import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

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
