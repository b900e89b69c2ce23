import { createGunzip, createZstdDecompress } from 'node:zlib'
import { Readable, type Transform } from 'node:stream'
import type { ImportLimits } from './limits.ts'

/** The file as a whole cannot be read. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** How a file is packed, by the bytes that it begins with. */
const packings = [
  { name: 'gzip', mark: [0x1f, 0x8b], open: () => createGunzip() },
  { name: 'zstd', mark: [0x28, 0xb5, 0x2f, 0xfd], open: () => createZstdDecompress() },
  { name: 'bzip2', mark: [0x42, 0x5a, 0x68], open: null },
  { name: 'xz', mark: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], open: null },
] as const

/**
 * The content of a file: unpacked when it is gzip or zstd, recognized by its first bytes and not by its name; UTF-16 with its mark as
 * UTF-8; and as it is otherwise.
 * @throws FileError when it cannot be unpacked, or unpacks to more than the limits allow
 */
export async function* decodeBytes(bytes: AsyncIterable<Uint8Array>, limits: ImportLimits): AsyncGenerator<Uint8Array> {
  const counted = countedBytes(bytes)
  const { head, whole } = await peek(counted.iterate(), 6)
  const packing = packings.find(({ mark }) => mark.every((byte, i) => head[i] === byte))
  if (!packing) {
    yield* asUtf8(whole)
    return
  }
  const { name, open } = packing
  if (!open)
    throw new FileError(
      `Unpack the file first ("${name === 'xz' ? 'xz -d' : 'bunzip2'}"), or pack it with gzip or zstd: ${name} is not unpacked here.`,
    )
  yield* asUtf8(unpack(whole, counted, limits, { name, open }))
}

/** Excel writes "Unicode text" as UTF-16, with a mark. */
async function* asUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, whole } = await peek(bytes, 2)
  const encoding = head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null
  if (encoding === null) return yield* whole
  const decoder = new TextDecoder(encoding)
  for await (const chunk of whole) yield Buffer.from(decoder.decode(chunk, { stream: true }), 'utf8')
  yield Buffer.from(decoder.decode(), 'utf8')
}

/** The first bytes, at least so many where there are, and all bytes with them. */
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
  return { head: Buffer.concat(head), whole: resume(head, { [Symbol.asyncIterator]: () => source }) }
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

async function* resume(head: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head
  yield* rest
}

async function* unpack(
  bytes: AsyncIterable<Uint8Array>,
  counted: { readonly read: number },
  limits: ImportLimits,
  { name, open }: { readonly name: string; readonly open: () => Transform },
): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(bytes)
  const gunzip = open()
  packed.on('error', error => gunzip.destroy(error))
  packed.pipe(gunzip)
  let size = 0
  try {
    // A stream of bytes, which Node's types call anything.
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
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
    if (error instanceof FileError || !isZlibError(error)) throw error
    throw new FileError(`The file begins like ${name} but cannot be unpacked: ${error.message}.`)
  } finally {
    packed.destroy()
    gunzip.destroy()
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(?:Z_|ZSTD_|ERR_ZSTD)/.test(String(error.code))
}
