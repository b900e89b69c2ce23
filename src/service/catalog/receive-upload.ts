import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError, invalidField } from '../../contract/errors.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import type { UploadPart } from '../http/handler.ts'

export interface ReceivedFile {
  /** Without control characters, and without folders unless they were asked for; it is only shown and matched. */
  readonly name: string
  /** Where its bytes lie; the path holds nothing that the client chose. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

export interface ReceivedForm {
  readonly fields: Readonly<Record<string, string>>
  readonly files: readonly ReceivedFile[]
}

/**
 * Streams a multipart form to disk, hashing on the way.
 * @param folder is made for it; the caller removes it
 * @param mostBytes over all files
 * @param keepsFolders whether names are paths where a folder was sent
 */
export async function receiveUpload(
  parts: AsyncIterable<UploadPart>,
  folder: string,
  mostBytes: number,
  keepsFolders = false,
): Promise<ReceivedForm> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fields = new Map<string, string>()
  const files: ReceivedFile[] = []
  let total = 0
  for await (const part of parts) {
    if (part.kind === 'field') {
      if (fields.has(part.name)) throw invalidField(['body', part.name], 'is given twice')
      fields.set(part.name, part.value)
      continue
    }
    const path = join(folder, String(files.length))
    const hash = createHash('sha256')
    let bytes = 0
    const meter = new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        bytes += chunk.length
        total += chunk.length
        hash.update(chunk)
        if (total > mostBytes) done(tooLarge(mostBytes))
        else done(null, chunk)
      },
    })
    await pipeline(part.stream, meter, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    files.push({ name: keepsFolders ? shownPath(part.fileName) : shownName(part.fileName), path, bytes, sha256: hash.digest('hex') })
  }
  return { fields: Object.fromEntries(fields), files }
}

function tooLarge(mostBytes: number): ApiError {
  return new ApiError(
    'payload_too_large',
    `The files have more than ${formatBytes(mostBytes)} together, which is the most that one upload may have. Send them in several parts.`,
  )
}

function shownName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  const clean = base
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 200)
  return clean === '' ? 'unnamed' : clean
}

/** A path of names that can be shown; it is never opened. */
function shownPath(path: string): string {
  const names = path.split(/[\\/]/).filter(part => part !== '' && part !== '.' && part !== '..')
  return names.length === 0 ? 'unnamed' : names.map(shownName).join('/').slice(-400)
}
