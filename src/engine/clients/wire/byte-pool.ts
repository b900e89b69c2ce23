/** Buffers are made in steps of so many bytes, so that one that was made for a file has room for others. */
const step = 64 * 1024
/** Bytes that are kept for the next calls. */
const mostKept = 32 * 1024 * 1024

/**
 * Buffers that are used again. Each new one of a hundred kilobytes counts toward V8's next collection of the whole heap, so that a run with
 * pictures would go through all that is held once for every sixty calls.
 */
export interface BytePool {
  /** With room for so many bytes or more, and with anything in it. */
  take(bytes: number): Buffer
  /** For the next one: whoever gives it back neither reads nor writes it from here on. */
  give(buffer: Buffer): void
}

export function createBytePool(): BytePool {
  const kept: Buffer[] = []
  let bytesKept = 0
  return {
    take: bytes => {
      const at = kept.findLastIndex(({ length }) => length >= bytes && length <= 2 * bytes + step)
      const [found] = at === -1 ? [] : kept.splice(at, 1)
      if (found) bytesKept -= found.length
      return found ?? Buffer.allocUnsafeSlow(Math.ceil(bytes / step) * step)
    },
    give: buffer => {
      if (bytesKept + buffer.length > mostKept) return
      kept.push(buffer)
      bytesKept += buffer.length
    },
  }
}
