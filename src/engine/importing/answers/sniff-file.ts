import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { decodeBytes, describeUnreadable, FileError, unpacksInThread } from '../files/decode-bytes.ts'
import { importLimits } from '../files/limits.ts'
import { headBytes } from './detect-format.ts'

/** A packed file may unpack to nothing, however long it is. */
const packedBytes = 1 << 20

/** What tells the format of a file. */
export interface SniffedFile {
  readonly name: string
  /** After unpacking; empty where the service's thread would have to unpack it, so that its name alone tells what it is. */
  readonly head: string
  readonly end: string
  /** What to send instead where nothing here reads the file; null otherwise. */
  readonly unreadable: string | null
}

export async function sniffFile({ name, path }: { readonly name: string; readonly path: string }): Promise<SniffedFile> {
  const { begins, end } = edgesOf(path)
  return { name, head: unpacksInThread(begins) ? '' : await headOf(path), end, unreadable: describeUnreadable(begins) }
}

/** The first bytes after unpacking, as far as the file unpacks. */
async function headOf(path: string): Promise<string> {
  const head: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of decodeBytes(createReadStream(path, { end: packedBytes - 1 }), importLimits)) {
      head.push(chunk)
      size += chunk.length
      if (size >= headBytes) break
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
  }
  return Buffer.concat(head).toString('utf8', 0, headBytes)
}

function edgesOf(path: string): { readonly begins: string; readonly end: string } {
  const bytes = Buffer.alloc(headBytes)
  const file = openSync(path, 'r')
  const read = (at: number): string => bytes.toString('latin1', 0, readSync(file, bytes, 0, headBytes, at))
  try {
    return { begins: read(0), end: read(Math.max(0, fstatSync(file).size - headBytes)) }
  } finally {
    closeSync(file)
  }
}
