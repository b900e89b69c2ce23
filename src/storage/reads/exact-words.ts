import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { exactWords } from '../../lib/text-query.ts'
import type { Database } from '../database.ts'

/** The words of a search index, in which those are found that a cut word of an exact text may stand for. */
export const wordsTable = 'create table words (content blob not null) strict'

/** Characters of words that are compressed together. */
const charactersOfWords = 2 ** 20

/** Bytes of a word that FTS5 keeps (FTS5_MAX_TOKEN_SIZE). */
const longestWord = 32_768

/** Writes every word of the index `documents`, in blocks: a zero byte before and behind each. None where one is too long. */
export function writeWords(index: Database): void {
  index.prepare('create virtual table temp.vocabulary using fts5vocab (main, documents, row)').run()
  const blocks: Uint8Array[] = []
  let block = '\0'
  // Of a longer word the index has only the beginning: texts in the rest would not be found.
  for (const word of index.prepare('select term from temp.vocabulary').pluck().iterate()) {
    if (Buffer.byteLength(String(word)) >= longestWord) return
    block += `${String(word)}\0`
    if (block.length < charactersOfWords) continue
    blocks.push(zstdCompressSync(block))
    block = '\0'
  }
  blocks.push(zstdCompressSync(block))
  const insert = index.prepare('insert into words (content) values (?)')
  for (const content of blocks) insert.run(content)
}

/** More words than this that one cut word may stand for are looked up no quicker than the texts are read. */
const mostWords = 500
/** More phrases than this are looked up as conditions apart. */
const mostPhrases = 64
/** Letters from which on the beginning of a word is looked up even where it has more words than that. */
const fewestLetters = 3

/**
 * What every sample with an exact text matches, and others; null where words cannot narrow it.
 * @returns an expression of FTS5; empty where no sample can have the text
 */
export function exactExpression(index: Database, text: string): string | null {
  const exact = exactWords(text)
  if (exact === null || exact.words.length === 0) return null
  const { isCutBefore, isCutAfter } = exact
  const words = [...exact.words]
  const like = (word = '', isBegun = true, isEnded = true) => wordsLike(index, `${isBegun ? '\0' : ''}${word}${isEnded ? '\0' : ''}`)
  const parts =
    words.length === 1
      ? [like(words[0], !isCutBefore, !isCutAfter)]
      : [isCutBefore ? like(words[0], false) : null, isCutAfter ? like(words.at(-1), true, false) : null]
  const whole = words.length === 1 ? [] : words.slice(isCutBefore ? 1 : 0, isCutAfter ? -1 : undefined)
  // A cut word that is not known narrows nothing; the others stay neighbors.
  const [first = null, last = null] = parts
  const known = [first, whole.length === 0 ? null : [whole.join(' ')], last].filter(part => part !== null)
  if (known.some(part => part.length === 0)) return ''
  const ending = words.at(-1) ?? ''
  const isBeginning = isCutAfter && parts.at(-1) === null && ending.length >= fewestLetters && !(isCutBefore && words.length === 1)
  if (isBeginning) known.push([ending])
  if (known.length === 0) return null
  const anyOf = (phrases: readonly string[], isLast: boolean) =>
    phrases.map(phrase => `"${phrase}"${isLast && isBeginning ? ' *' : ''}`).join(' OR ')
  const count = known.reduce((product, part) => product * part.length, 1)
  if (count > (isBeginning ? 1 : mostPhrases)) return known.map((part, i) => `(${anyOf(part, i === known.length - 1)})`).join(' AND ')
  return anyOf(
    known.reduce((begun, part) => begun.flatMap(phrase => part.map(next => `${phrase} ${next}`))),
    true,
  )
}

const Content = z.instanceof(Uint8Array)

/** Words of the index with a part, in which a zero byte stands for an end of the word; null where there are too many, or they are not known. */
function wordsLike(index: Database, part: string): string[] | null {
  const wanted = Buffer.from(part)
  const found = new Set<string>()
  let isKnown = false
  for (const content of index.prepare('select content from search_index.words').pluck().iterate()) {
    isKnown = true
    const block = zstdDecompressSync(Content.parse(content))
    for (let hit = block.indexOf(wanted); hit >= 0; ) {
      // A hit that begins with a zero byte begins before its word.
      const begin = block.lastIndexOf(0, hit) + 1
      const end = block.indexOf(0, Math.max(hit + 1, begin))
      found.add(block.toString('utf8', begin, end))
      if (found.size > mostWords) return null
      hit = block.indexOf(wanted, end)
    }
  }
  return isKnown ? [...found] : null
}
