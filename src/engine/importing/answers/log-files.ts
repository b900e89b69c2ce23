import { unpackedName } from '../../../lib/file-name.ts'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { AnswerFormat } from '../../../contract/answers/answers.schemas.ts'
import type { Archive } from '../../archives/archive.ts'
import { decodeBytes } from '../files/decode-bytes.ts'
import { importLimits } from '../files/limits.ts'
import { readWhole } from '../files/read-whole.ts'
import { archiveIn, folderOf, unpackFolder } from '../files/unpack-folder.ts'
import { LogError } from './foreign-log.ts'

/** A file of a result log, unpacked. */
export interface LogFile {
  /** Without its folder. */
  readonly name: string
  /** Within its archive, or as it was sent; empty for a file that came alone. */
  readonly folder: string
  readonly bytes: Buffer
}

/** Which files of an archive are of a format; formats that are not here come in single files. */
const inArchives: { readonly [Format in AnswerFormat]?: (path: string) => boolean } = {
  lm_eval_samples: path => /\.(?:json|jsonl)$/i.test(unpackedName(path)),
  tool_results: path => /\.(?:json|jsonl|parquet)$/i.test(unpackedName(path)),
  inspect_log: path => /\.(?:eval|json)$/i.test(path),
}

/** The files of a log, out of archives too. @throws LogError, ArchiveError or FileError */
export async function readLogFiles(
  given: readonly { readonly name: string; readonly path: string }[],
  format: AnswerFormat,
): Promise<{ readonly files: readonly LogFile[]; readonly warnings: readonly string[] }> {
  const files: LogFile[] = []
  const warnings: string[] = []
  for (const { name, path } of given) {
    const bytes = await unpacked(createReadStream(path))
    const isWanted = inArchives[format]
    // A log of Inspect is an archive itself, in which a file may be written again; so is a workbook.
    const archive = isWanted && !/\.(?:eval|xlsx)$/i.test(name) ? archiveIn(bytes) : null
    if (!isWanted || !archive || isInspectLog(archive)) {
      if (!name.includes('/') || isWanted?.(name) !== false)
        files.push({ name: name.split('/').at(-1) ?? '', folder: folderOf(name), bytes })
      else warnings.push(`"${name}" was not read.`)
      continue
    }
    const { files: found, passedOver } = unpackFolder(archive, isWanted)
    if (found.length === 0) throw new LogError(`The archive "${name}" has no log in it.`)
    for (const one of found)
      files.push({ name: one.path.split('/').at(-1) ?? '', folder: folderOf(one.path), bytes: await unpacked(Readable.from([one.bytes])) })
    if (passedOver.length > 0)
      warnings.push(`${passedOver.length} other files of "${name}" were not read: ${passedOver.slice(0, 5).join(', ')}.`)
  }
  return { files, warnings }
}

function unpacked(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return readWhole(decodeBytes(bytes, importLimits), importLimits, 'log')
}

/** Under whatever name. */
function isInspectLog({ names }: Archive): boolean {
  return names.includes('header.json') || names.includes('_journal/start.json')
}
