import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** Bytes that are read where they are needed: of memory, or of a file that may be larger than memory. */
export interface ByteSource {
  readonly size: number
  /** Fewer bytes than asked for where the source ends. */
  read(from: number, length: number): Buffer
}

export function sourceOfBytes(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (from, length) => bytes.subarray(from, from + length) }
}

/** Opened for each read, so that nothing has to be closed. */
export function sourceOfFile(path: string): ByteSource {
  const { size } = statSync(path)
  return {
    size,
    read: (from, length) => {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - from)))
      const file = openSync(path, 'r')
      try {
        let filled = 0
        while (filled < bytes.length) {
          const got = readSync(file, bytes, filled, bytes.length - filled, from + filled)
          if (got === 0) break
          filled += got
        }
        return bytes.subarray(0, filled)
      } finally {
        closeSync(file)
      }
    },
  }
}
