import { type Archive, ArchiveError } from '../../archives/archive.ts'
import type { ArchiveFormat } from './import-source.ts'
import type { ImportLimits } from './limits.ts'
import { readWhole } from './read-whole.ts'
import { isTar, openTar } from './read-tar.ts'
import { openZip } from '../../archives/read-zip.ts'
import { problem, type RowOrProblem } from './row.ts'

/** The rows of an archive. What is wrong with the archive itself is a problem of the file as a whole. */
export async function* readArchive(
  bytes: AsyncIterable<Uint8Array>,
  rows: ArchiveFormat['rows'],
  limits: ImportLimits,
): AsyncGenerator<RowOrProblem> {
  // Read whole, since the directory of a zip archive is at its end.
  const whole = await readWhole(bytes, limits, 'archive')
  try {
    yield* rows(openArchive(whole))
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    yield problem(null, error.message)
  }
}

/** Whichever kind it is, by its bytes. @throws ArchiveError */
function openArchive(bytes: Buffer): Archive {
  return isTar(bytes) ? openTar(bytes) : openZip(bytes)
}
