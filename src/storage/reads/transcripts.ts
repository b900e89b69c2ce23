import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { decompress, type Transcript, unpackTranscript } from '../transcript.ts'

/** Neighbors mostly share a block, so the last few are kept as they came out. */
const keptBlocks = 4

/** The columns of an attempt by which its transcript is found. */
export const TranscriptPlace = z.object({
  run_no: z.int(),
  /** Of the first release: a transcript by itself. */
  transcript: z.instanceof(Uint8Array).nullable(),
  block_no: z.int().nullable(),
  block_offset: z.int().nullable(),
})
export type TranscriptPlace = z.infer<typeof TranscriptPlace>

const Dictionary = z.object({ dictionary: z.instanceof(Uint8Array).nullable() })
const Block = z.object({ content: z.instanceof(Uint8Array) })

export interface TranscriptReader {
  /** Null where an attempt has none. */
  read(place: TranscriptPlace): Transcript | null
}

/** Reads stored transcripts; blocks and dictionaries never change, so what was read once stays valid. */
export function createTranscriptReader(db: Database): TranscriptReader {
  const dictionaries = new Map<number, Uint8Array | null>()
  const blocks = new LRUCache<number, Uint8Array>({ max: keptBlocks })
  const dictionaryOf = (runNo: number): Uint8Array | null => {
    const known = dictionaries.get(runNo)
    if (known !== undefined) return known
    const row = db.prepare('select dictionary from runs where no = ?').get(runNo)
    const dictionary = row === undefined ? null : Dictionary.parse(row).dictionary
    dictionaries.set(runNo, dictionary)
    return dictionary
  }
  const blockOf = (no: number, runNo: number): Uint8Array => {
    const known = blocks.get(no)
    if (known) return known
    const { content } = Block.parse(db.prepare('select content from transcript_blocks where no = ?').get(no))
    const block = decompress(content, dictionaryOf(runNo))
    blocks.set(no, block)
    return block
  }
  return {
    read: ({ run_no, transcript, block_no, block_offset }) => {
      if (transcript) return unpackTranscript(decompress(transcript, dictionaryOf(run_no)))
      if (block_no === null) return null
      return unpackTranscript(blockOf(block_no, run_no).subarray(block_offset ?? 0))
    },
  }
}
