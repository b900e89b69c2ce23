import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

export interface ExportDone {
  readonly bytes: number
  readonly sha256: string
}

/** Writes one export piece by piece. The file gets its name only when it is whole. */
export async function writeExportFile(
  path: string,
  render: (write: (chunk: string) => Promise<void>) => Promise<void>,
): Promise<ExportDone> {
  const partial = `${path}.partial`
  const file = await open(partial, 'w', 0o600)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    await render(async chunk => {
      const data = Buffer.from(chunk, 'utf8')
      hash.update(data)
      bytes += data.length
      await file.writeFile(data)
    })
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
