import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import type { Database } from '../database.ts'
import type { SearchedTexts } from './searched-texts.ts'

/**
 * The marks of a search index, which say which samples have a text that is in most of them, such as `$`, without reading their texts. A
 * mark is a run of characters that are neither letters, digits nor spaces, or one ASCII letter or digit. Each row has those of the
 * positions from `first` on.
 */
export const marksTable = 'create table marks (first integer not null, texts text not null, samples blob not null) strict'

/** Positions of a row, a bit of each mark's bytes for each. */
const positionsOfRow = 4096
const bytesOfMark = positionsOfRow / 8

/** Of a row: marks and their characters. Where there are more, the texts are read instead. */
const mostMarks = 4096
const mostCharacters = 2 ** 18

/* oxlint-disable no-control-regex -- a zero byte separates marks, so no mark has one; ASCII begins with it */
/** Most texts are ASCII, which takes a fraction of the time. */
const ascii = /^[\u0000-\u007f]*$/
const asciiRuns = /[^A-Za-z0-9\s\0]+/g
const runs = /[^\p{L}\p{N}\p{M}\s\0]+/gu
const oneMark = /^(?:[A-Za-z0-9]|[^\p{L}\p{N}\p{M}\s\0]+)$/u
/* oxlint-enable no-control-regex */

/** Writes the marks of samples that come by rising position; `end` after the last of them. */
export function createMarkWriter(index: Database) {
  const insert = index.prepare('insert into marks (first, texts, samples) values (?, ?, ?)')
  let first = 0
  let marks = new Map<string, Uint8Array>()
  const end = () => {
    if (marks.size === 0) return
    const texts = [...marks.keys()].join('\0')
    const isKnown = marks.size <= mostMarks && texts.length <= mostCharacters
    insert.run(first, isKnown ? texts : '', isKnown ? zstdCompressSync(Buffer.concat([...marks.values()])) : Buffer.alloc(0))
    marks = new Map()
  }
  const mark = (text: string, position: number) => {
    let bits = marks.get(text)
    if (!bits) {
      if (marks.size > mostMarks) return
      // Copied: a slice of a field keeps the whole field in memory.
      marks.set(Buffer.from(text, 'utf16le').toString('utf16le'), (bits = new Uint8Array(bytesOfMark)))
    }
    const place = position - first
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7))
  }
  return {
    add({ position, fields }: SearchedTexts): void {
      const start = position - (position % positionsOfRow)
      if (start !== first) {
        end()
        first = start
      }
      const isSeen = new Uint8Array(128)
      for (const field of fields) {
        for (let i = 0; i < field.length; i++) {
          const code = field.charCodeAt(i)
          if (code < 128) isSeen[code] = 1
        }
        for (const run of field.match(ascii.test(field) ? asciiRuns : runs) ?? []) mark(run, position)
      }
      for (const [code, isThere] of isSeen.entries()) if (isThere === 1 && isLetterOrDigit(code)) mark(String.fromCharCode(code), position)
    },
    end,
  }
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

const Row = z.object({ first: z.int(), texts: z.string(), samples: z.instanceof(Uint8Array) })

/** Positions of the samples with an exact text, ascending; null where the marks cannot tell. */
export function positionsOfMark(index: Database, text: string): number[] | null {
  if (!text.isWellFormed() || !oneMark.test(text)) return null
  const positions: number[] = []
  for (const row of index.prepare('select first, texts, samples from search_index.marks order by rowid').iterate()) {
    const { first, texts, samples } = Row.parse(row)
    if (texts === '') return null
    const matching = texts.split('\0').flatMap((mark, i) => (mark.includes(text) ? [i] : []))
    if (matching.length === 0) continue
    const bits = zstdDecompressSync(samples)
    for (let byte = 0; byte < bytesOfMark; byte++) {
      let found = 0
      for (const mark of matching) found |= bits[mark * bytesOfMark + byte] ?? 0
      for (let bit = 0; found >> bit > 0; bit++) if ((found >> bit) & 1) positions.push(first + byte * 8 + bit)
    }
  }
  return positions
}
