import { FileError } from './decode-bytes.ts'
import type { RowFormat } from './import-source.ts'
import type { ImportLimits } from './limits.ts'
import { openZip, ZipError } from './read-zip.ts'
import { problem, type RowOrProblem } from './row.ts'

/** Bytes of an archive: it is read whole, since its directory stands at the end. */
const mostBytes = 512 * 1024 * 1024

/** The rows of a zip archive. What is wrong with the archive itself is a problem of the file as a whole. */
export async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  rows: Extract<RowFormat, { kind: 'zip' }>['rows'],
  limits: ImportLimits,
): AsyncGenerator<RowOrProblem> {
  const most = Math.min(mostBytes, limits.decodedBytes)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    size += part.length
    if (size > most) throw new FileError(`The archive is larger than ${most} bytes.`)
    parts.push(part)
  }
  try {
    yield* rows(openZip(Buffer.concat(parts)))
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    yield problem(null, error.message)
  }
}
