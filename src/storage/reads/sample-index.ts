import { renameSync, rmSync } from 'node:fs'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { type TextQuery, toIndexExpression, toSearchDocument } from '../../lib/text-query.ts'
import { type Database, openDatabase } from '../database.ts'
import { createMarkWriter, marksTable, positionsOfMark } from './exact-marks.ts'
import { exactExpression, wordsTable, writeWords } from './exact-words.ts'
import { readSearchedTexts, type SearchedTexts } from './searched-texts.ts'

/**
 * The search index of an ended run, a database of its own (decisions/0200): FTS5 over the words of each sample, and for exact text a list of
 * all words, the marks, and the texts themselves, in compressed blocks. It gets its name only when it is whole.
 */
const schema = [
  // The tokenizer only cuts at spaces: `toSearchDocument` has decided what a word is, for the index as for a scan.
  `create virtual table documents using fts5 (text, content = '', columnsize = 0, tokenize = 'ascii')`,
  // One merge at the end instead of many between.
  `insert into documents (documents, rank) values ('hashsize', 33554432)`,
  'create table texts (first integer primary key, content blob not null) strict',
  wordsTable,
  marksTable,
]

/** Samples whose texts are compressed together. */
const samplesOfBlock = 64
/** That most blocks have at most; such a one is decompressed in one piece, a fifth quicker than in the usual ones of 16 kB. */
const usualBlockBytes = 2 ** 17
/** Samples that are added at a time, so that other work of the thread never waits long. */
const samplesOfSlice = 64 * samplesOfBlock

/**
 * Adds the next samples of a run to its index.
 * @param path of the whole index; until it is whole, it has another name
 * @param after the last position that was added; -1 begins again
 * @returns the last position that is added now; null when the index is whole
 */
export function extendSampleIndex(db: Database, runNo: number, path: string, after: number): number | null {
  const partial = `${path}.partial`
  if (after < 0) rmSync(partial, { force: true })
  const index = openDatabase(partial)
  let last: number | null = null
  try {
    // A process that dies leaves a file that is never read.
    index.pragma('journal_mode = OFF')
    index.pragma('synchronous = OFF')
    if (after < 0) for (const statement of schema) index.prepare(statement).run()
    index.transaction(() => {
      const insert = index.prepare('insert into documents (rowid, text) values (?, ?)')
      const insertBlock = index.prepare('insert into texts (first, content) values (?, ?)')
      const marks = createMarkWriter(index)
      let block: SearchedTexts[] = []
      const flush = () => {
        const [first] = block
        if (first) insertBlock.run(first.position, packBlock(block))
        block = []
      }
      let added = 0
      for (const sample of readSearchedTexts(db, runNo, after, samplesOfBlock)) {
        insert.run(sample.position, toSearchDocument(sample.fields))
        marks.add(sample)
        if (block.push(sample) === samplesOfBlock) flush()
        if (++added < samplesOfSlice) continue
        last = sample.position
        break
      }
      flush()
      marks.end()
    })
    if (last === null) {
      index.prepare(`insert into documents (documents) values ('optimize')`).run()
      index.transaction(() => writeWords(index))
      index.pragma('synchronous = FULL')
      index.pragma('user_version = 1')
    }
  } finally {
    index.close()
  }
  if (last === null) renameSync(partial, path)
  return last
}

/** Position, end of its texts, both 32 bits, for each sample behind their number; then the texts, a zero byte behind each. */
function packBlock(samples: readonly SearchedTexts[]): Uint8Array {
  const texts = samples.map(({ fields }) => Buffer.from(fields.map(field => `${field}\0`).join('')))
  const places = Buffer.alloc(4 + 8 * samples.length)
  places.writeUInt32LE(samples.length, 0)
  let end = 0
  for (const [i, { position }] of samples.entries()) {
    end += texts[i]?.length ?? 0
    places.writeUInt32LE(position, 4 + 8 * i)
    places.writeUInt32LE(end, 8 + 8 * i)
  }
  return zstdCompressSync(Buffer.concat([places, ...texts]))
}

function* positionsIn(content: Uint8Array, wanted: Buffer): Generator<number> {
  const block = zstdDecompressSync(content, { chunkSize: usualBlockBytes })
  const count = block.readUInt32LE(0)
  const begin = 4 + 8 * count
  const endOf = (sample: number) => begin + block.readUInt32LE(8 + 8 * sample)
  let sample = 0
  for (let hit = block.indexOf(wanted, begin); hit >= 0; hit = sample < count ? block.indexOf(wanted, endOf(sample - 1)) : -1) {
    while (endOf(sample) <= hit) sample++
    yield block.readUInt32LE(4 + 8 * sample)
    // Once is enough for a sample.
    sample++
  }
}

/** Samples of a run that match a search. */
export type SampleHits =
  /** Ascending. */
  | { readonly kind: 'positions'; readonly positions: readonly number[] }
  /** Rows of the attached index that match an FTS5 expression. */
  | { readonly kind: 'expression'; readonly expression: string }

const rowIds = z.array(z.int())
const Block = z.object({ content: z.instanceof(Uint8Array) })

/**
 * Attaches the index of a run to a connection and finds what matches.
 * @throws StorageError where the file is missing or not whole
 */
export function searchSampleIndex(db: Database, path: string, query: TextQuery): SampleHits {
  db.prepare('attach ? as search_index').run(path)
  if (Number(db.prepare('pragma search_index.user_version').pluck().get()) !== 1) throw new Error('The search index is not whole.')
  if (query.kind === 'words') return { kind: 'expression', expression: toIndexExpression(query) ?? '' }
  const marked = positionsOfMark(db, query.text)
  if (marked !== null) return { kind: 'positions', positions: marked }
  const expression = query.text.includes('\0') ? '' : exactExpression(db, query.text)
  if (expression === '') return { kind: 'positions', positions: [] }
  const candidates =
    expression === null
      ? null
      : rowIds.parse(db.prepare('select rowid from search_index.documents where documents match ? order by rowid').pluck().all(expression))
  const wanted = Buffer.from(query.text)
  const positions: number[] = []
  const read = db.prepare('select content from search_index.texts where first = ?')
  const firsts = rowIds.parse(db.prepare('select first from search_index.texts order by first').pluck().all())
  let next = 0
  for (const [i, first] of firsts.entries()) {
    const end = firsts[i + 1] ?? Number.POSITIVE_INFINITY
    if (candidates !== null) {
      while ((candidates[next] ?? Number.POSITIVE_INFINITY) < first) next++
      if ((candidates[next] ?? Number.POSITIVE_INFINITY) >= end) continue
    }
    positions.push(...positionsIn(Block.parse(read.get(first)).content, wanted))
  }
  return { kind: 'positions', positions }
}
