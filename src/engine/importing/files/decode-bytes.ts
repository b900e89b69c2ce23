import { createGunzip, createZstdDecompress } from 'node:zlib'
import { Readable, type Transform } from 'node:stream'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { archiveLimits } from '../../archives/archive.ts'
import { unpackBzip2 } from '../../archives/unpack-bzip2.ts'
import { sheetAsCsv } from '../../grading/spreadsheets/sheet-as-csv.ts'
import { UnpackError } from '../../archives/unpack-error.ts'
import { unpackXz } from '../../archives/unpack-xz.ts'
import type { ImportLimits } from './limits.ts'

/** The file as a whole cannot be read. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** How a file is packed, by what it begins with. */
interface Packing {
  readonly name: string
  readonly mark: RegExp
  /** Unpacked by the thread that reads it; zlib has threads of its own. */
  readonly inThread?: true
  /** @throws UnpackError where it is damaged, cut off or followed by something else */
  unpack(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

const packings: readonly Packing[] = [
  { name: 'gzip', mark: /^\x1f\x8b/, unpack: packed => through(packed, createGunzip()) },
  { name: 'zstd', mark: /^\x28\xb5\x2f\xfd/, unpack: packed => through(packed, createZstdDecompress()) },
  { name: 'bzip2', mark: /^BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)/, inThread: true, unpack: unpackBzip2 },
  { name: 'xz', mark: /^\xfd7zXZ\0/, inThread: true, unpack: unpackXz },
  {
    name: 'an Excel workbook',
    mark: /^PK\x03\x04[^]{26}(?:\[Content_Types\]|_rels\/|docProps\/|xl\/)/,
    inThread: true,
    unpack: workbookAsCsv,
  },
]

/** Files that nothing here reads, by what they begin with, and what to send instead. */
const unreadable: readonly { readonly name: string; readonly mark: RegExp; readonly instead: string }[] = [
  { name: '7-Zip', mark: /^7z\xbc\xaf\x27\x1c/, instead: 'Unpack the archive first ("7z x"), or pack its files as zip' },
  { name: 'RAR', mark: /^Rar!\x1a\x07/, instead: 'Unpack the archive first ("unrar x"), or pack its files as zip' },
  { name: 'LZ4', mark: /^\x04\x22\x4d\x18/, instead: 'Unpack the file first ("lz4 -d"), or pack it with gzip or zstd' },
  { name: 'lzip', mark: /^LZIP\x01/, instead: 'Unpack the file first ("lzip -d"), or pack it with gzip or zstd' },
  { name: 'Arrow', mark: /^(?:ARROW1\0|\xff\xff\xff\xff)/, instead: 'Save the table as Parquet ("dataset.to_parquet")' },
  { name: 'Avro', mark: /^Obj\x01/, instead: 'Save the table as Parquet or JSON Lines' },
  { name: 'a NumPy array', mark: /^\x93NUMPY/, instead: 'Save the table as CSV or JSON Lines' },
  { name: 'HDF5', mark: /^\x89HDF\r\n/, instead: 'Save the table as Parquet or JSON Lines' },
  { name: 'a SQLite database', mark: /^SQLite format 3\0/, instead: 'Export its table as CSV or JSON Lines' },
  { name: 'an image', mark: /^(?:\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a)/, instead: 'Send the table that names it, with the image beside it' },
  { name: 'UTF-32', mark: /^(?:\xff\xfe\0\0|\0\0\xfe\xff)/, instead: 'Save the text as UTF-8' },
  { name: 'GGUF', mark: /^GGUF/, instead: 'Add it as a local model' },
  { name: 'a PDF', mark: /^%PDF-\d/, instead: 'Save its table as CSV' },
  { name: 'an Excel workbook of before 2007', mark: /^\xd0\xcf\x11\xe0/, instead: 'Save the sheet as CSV or .xlsx' },
  {
    name: 'a web page',
    mark: /^(?:\xef\xbb\xbf)?[\t\r\n ]{0,20}<(?:!doctype html|html)\b/i,
    instead: 'Download the file itself, not the page that shows it',
  },
  { name: 'a Git LFS pointer', mark: /^version https:\/\/git-lfs\./, instead: 'Download the file that it stands for ("git lfs pull")' },
  { name: 'a pickle of Python', mark: /^\x80[\x02-\x05](?:\x95|}|\])/, instead: 'Save the table as Parquet or JSON Lines' },
]
const markBytes = 64
/** Bytes that are looked at to tell text in UTF-16 without a mark. */
const wideBytes = 32

/**
 * The content of a file: unpacked when it is gzip, zstd, bzip2 or xz, recognized by its first bytes and not by its name; the sheet of a
 * workbook as CSV; UTF-16 as UTF-8; and as it is otherwise.
 * @throws FileError when it cannot be unpacked, or unpacks to more than the limits allow
 */
export async function* decodeBytes(bytes: AsyncIterable<Uint8Array>, limits: ImportLimits): AsyncGenerator<Uint8Array> {
  const counted = countedBytes(bytes)
  const source = counted.iterate()
  try {
    const { head, whole } = await peek(source, markBytes)
    const begins = head.toString('latin1')
    const other = describeUnreadable(begins)
    if (other !== null) throw new FileError(other)
    const packing = packings.find(({ mark }) => mark.test(begins))
    yield* asUtf8(packing ? unpack(whole, counted, limits, packing) : whole)
  } finally {
    await source.return(undefined)
  }
}

/** What to send instead of a file that begins so, where nothing here reads it; null otherwise. */
export function describeUnreadable(begins: string): string | null {
  const other = unreadable.find(({ mark }) => mark.test(begins))
  return other ? `${other.instead}: ${other.name} is not read here.` : null
}

async function* workbookAsCsv(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of packed) {
    size += part.length
    // It is held whole, beside the pictures that may be in it.
    if (size > archiveLimits.heldBytes)
      throw new FileError(`Save the sheet with the rows as CSV: the workbook has more than ${formatBytes(archiveLimits.heldBytes)}.`)
    parts.push(part)
  }
  try {
    for (const part of sheetAsCsv(Buffer.concat(parts))) yield Buffer.from(part)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new FileError(`Save the sheet with the rows as CSV: ${error.message}`)
  }
}

/** Whether unpacking a file that begins so takes the processor of the thread that reads it. */
export function unpacksInThread(begins: string): boolean {
  return packings.some(({ mark, inThread }) => inThread && mark.test(begins))
}

/** Excel writes "Unicode text" as UTF-16, with a mark; what begins like Latin text in UTF-16 is read as it also without one. */
async function* asUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(bytes, wideBytes)
  const encoding = wideEncoding(head)
  if (encoding === null) return yield* whole
  const decoder = new TextDecoder(encoding)
  for await (const chunk of whole) yield Buffer.from(decoder.decode(chunk, { stream: true }), 'utf8')
  yield Buffer.from(decoder.decode(), 'utf8')
}

function wideEncoding(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head.length < 8) return null
  const isLatin = (high: 0 | 1) => head.every((byte, i) => (i % 2 === high ? byte === 0 : byte >= 0x09 && byte < 0x7f))
  return isLatin(1) ? 'utf-16le' : isLatin(0) ? 'utf-16be' : null
}

/** The first bytes, as many as are wanted where there are, and all bytes with them. */
export async function peek(
  bytes: AsyncIterable<Uint8Array>,
  wanted: number,
): Promise<{ readonly head: Buffer; readonly whole: AsyncIterable<Uint8Array> }> {
  const source = bytes[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let length = 0
  while (length < wanted) {
    const next = await source.next()
    if (next.done) break
    head.push(next.value)
    length += next.value.length
  }
  return { head: Buffer.concat(head).subarray(0, wanted), whole: resume(head, source) }
}

/** Counts what has been read, so that the ratio can be watched. */
function countedBytes(bytes: AsyncIterable<Uint8Array>) {
  const counter = {
    read: 0,
    iterate: async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        counter.read += chunk.length
        yield chunk
      }
    },
  }
  return counter
}

async function* resume(head: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* head
    yield* { [Symbol.asyncIterator]: () => rest }
  } finally {
    // Left within the head, the rest was begun by nothing that would close it.
    await rest.return?.()
  }
}

async function* unpack(
  bytes: AsyncIterable<Uint8Array>,
  counted: { readonly read: number },
  limits: ImportLimits,
  packing: Packing,
): AsyncGenerator<Uint8Array> {
  let size = 0
  try {
    for await (const chunk of packing.unpack(bytes)) {
      size += chunk.length
      if (size > limits.decodedBytes) throw new FileError(`The file unpacks to more than ${limits.decodedBytes} bytes.`)
      if (size > limits.ratioFrom && size > counted.read * limits.ratio) {
        throw new FileError(
          `The file unpacks to more than ${limits.ratio} times its size, which real data does not; it was not read further.`,
        )
      }
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error
    const begins = `begins like ${packing.name} but cannot be unpacked: ${error.message}.`
    throw new FileError(error.cure === null ? `The file ${begins}` : `Unpack the file first ("${error.cure}"): it ${begins}`)
  }
}

async function* through(
  bytes: AsyncIterable<Uint8Array>,
  unpacker: Transform & { readonly bytesWritten: number },
): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(bytes)
  let given = 0
  packed.on('data', (chunk: Uint8Array) => {
    given += chunk.length
  })
  packed.on('error', error => unpacker.destroy(error))
  packed.pipe(unpacker)
  try {
    // A stream of bytes, which Node's types call anything.
    yield* unpacker as AsyncIterable<Uint8Array>
    // What is behind a part that is none of its kind ends the reading without an error.
    if (unpacker.bytesWritten < given) throw new UnpackError(`it is damaged after ${unpacker.bytesWritten} bytes`)
  } catch (error) {
    throw isZlibError(error) ? new UnpackError(error.message) : error
  } finally {
    packed.destroy()
    unpacker.destroy()
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_ZSTD)/.test(String(error.code))
}
