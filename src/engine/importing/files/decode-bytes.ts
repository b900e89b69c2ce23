import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import type { ImportLimits } from './limits.ts'

/** The file as a whole cannot be read. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/**
 * The content of a file: unpacked when it is gzip, recognized by its first two bytes and not by its name, and as it is otherwise.
 * @throws FileError when it is no sound gzip or unpacks to more than the limits allow
 */
export async function* decodeBytes(bytes: AsyncIterable<Uint8Array>, limits: ImportLimits): AsyncGenerator<Uint8Array> {
  const counted = countedBytes(bytes)
  const { head, whole } = await peek(counted.iterate(), 2)
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* whole
    return
  }
  yield* unpack(whole, counted, limits)
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
): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(bytes)
  const gunzip = createGunzip()
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
    throw new FileError(`The file begins like gzip but cannot be unpacked: ${error.message}.`)
  } finally {
    packed.destroy()
    gunzip.destroy()
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
