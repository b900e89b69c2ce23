import type { Database } from '../database.ts'
import { compress } from '../transcript.ts'

/** Bytes of transcripts that are compressed as one: larger, and showing one sample would mean undoing too much. */
const fullBlock = 256 * 1024
/** More of the first transcript would cost every block time and save none. */
const longestDictionary = 64 * 1024

/** Where a transcript is: its block, and bytes into that once decompressed. */
export interface TranscriptPlace {
  readonly blockNo: number
  readonly offset: number
}

/** Stores the transcripts of one commit together: they look alike, and one compression costs hardly more for many than for one. */
export interface TranscriptWriter {
  /** In the caller's transaction. @param packed by `packTranscript`; null where nothing went over the wire and nothing was answered */
  write(runNo: number, packed: readonly (Uint8Array | null)[]): (TranscriptPlace | null)[]
  /** What was rolled back may have been the dictionary. */
  forget(runNo: number): void
}

export function createTranscriptWriter(db: Database): TranscriptWriter {
  const dictionaries = new Map<number, Uint8Array | null>()
  const insert = db.prepare('insert into transcript_blocks (run_no, content) values (?, ?)')
  const setDictionary = db.prepare('update runs set dictionary = ? where no = ?')

  /** The beginning of a run's first transcript, by which all its blocks are compressed. */
  const dictionaryOf = (runNo: number, first: Uint8Array): Uint8Array => {
    const known = dictionaries.get(runNo) ?? db.first(db.sql.selectFrom('runs').select('dictionary').where('no', '=', runNo))?.dictionary
    const dictionary = known ?? first.subarray(0, longestDictionary)
    if (!known) setDictionary.run(dictionary, runNo)
    dictionaries.set(runNo, dictionary)
    return dictionary
  }
  const store = (runNo: number, packed: readonly Uint8Array[]): number => {
    const [first] = packed
    const block = packed.length === 1 && first ? first : Buffer.concat(packed)
    return Number(insert.run(runNo, compress(block, dictionaryOf(runNo, first ?? block))).lastInsertRowid)
  }

  return {
    forget: runNo => dictionaries.delete(runNo),
    write: (runNo, transcripts) => {
      const places: (TranscriptPlace | null)[] = []
      let block: Uint8Array[] = []
      let offsets: { readonly at: number; readonly offset: number }[] = []
      let bytes = 0
      const close = () => {
        if (block.length === 0) return
        const blockNo = store(runNo, block)
        for (const { at, offset } of offsets) places[at] = { blockNo, offset }
        block = []
        offsets = []
        bytes = 0
      }
      for (const [at, packed] of transcripts.entries()) {
        places.push(null)
        if (!packed) continue
        if (bytes > 0 && bytes + packed.length > fullBlock) close()
        offsets.push({ at, offset: bytes })
        block.push(packed)
        bytes += packed.length
      }
      close()
      return places
    },
  }
}
