import type { Write } from './report-sample.ts'

/** Joins small pieces into chunks of about this many characters: few enough writes, and small beside any file. */
const chunkLength = 65_536

/** Collects pieces and passes them on in chunks; call `flush` at the end. */
export interface BufferedWriter {
  readonly write: (piece: string) => Promise<void>
  readonly flush: () => Promise<void>
}

export function bufferedWriter(write: Write): BufferedWriter {
  let pieces: string[] = []
  let length = 0
  const flush = async () => {
    if (length === 0) return
    const chunk = pieces.join('')
    pieces = []
    length = 0
    await write(chunk)
  }
  return {
    flush,
    write: async piece => {
      pieces.push(piece)
      length += piece.length
      if (length >= chunkLength) await flush()
    },
  }
}
