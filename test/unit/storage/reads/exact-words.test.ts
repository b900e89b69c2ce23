import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { matchesText, toSearchDocument } from '../../../../src/lib/text-query.ts'
import { type Database, openDatabase } from '../../../../src/storage/database.ts'
import { exactExpression, wordsTable, writeWords } from '../../../../src/storage/reads/exact-words.ts'
import { temporaryFolder } from '../../../support/service.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
let files = 0

/** An index of words as a run's is, attached. */
function indexOf(documents: readonly (readonly string[])[]): Database {
  const path = `${folder.path}/${files++}.index`
  const index = openDatabase(path)
  index.prepare(`create virtual table documents using fts5 (text, content = '', columnsize = 0, tokenize = 'ascii')`).run()
  index.prepare(wordsTable).run()
  const insert = index.prepare('insert into documents (rowid, text) values (?, ?)')
  for (const [i, fields] of documents.entries()) insert.run(i, toSearchDocument(fields))
  writeWords(index)
  index.close()
  const db = openDatabase(':memory:')
  db.prepare('attach ? as search_index').run(path)
  return db
}

/** Numbers of the documents that are left to be read; null: all. */
function narrowed(db: Database, text: string): number[] | null {
  const expression = exactExpression(db, text)
  if (expression === null) return null
  if (expression === '') return []
  const rows = db.prepare('select rowid from search_index.documents where documents match ? order by rowid').pluck().all(expression)
  return rows.map(Number)
}

const word = fc.constantFrom(
  'ans',
  'answer',
  'swer',
  'the',
  'e\u0301',
  'é',
  '\u0301',
  'ΑΣ',
  'σας',
  'İ',
  'ﬁne',
  '한국',
  '하\u11ab',
  '天气',
  'ไทย',
  '1,560',
  '𝚺',
  'x²',
)
const separator = fc.constantFrom(' ', '', '.', '\n', ' § ', '"', '-', '\u00b4')
const writing = fc.array(fc.tuple(word, separator), { maxLength: 12 }).map(parts => parts.map(part => part.join('')).join(''))

test('never leaves out a text that contains what is looked for, wherever its ends cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(writing, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      fc.nat(5),
      fc.nat(40),
      fc.integer({ min: 1, max: 20 }),
      (documents, chosen, start, length) => {
        const [field = ''] = documents[chosen % documents.length] ?? []
        const text = field.slice(start % (field.length + 1)).slice(0, length)
        if (text === '') return
        const db = indexOf(documents)
        const found = narrowed(db, text)
        db.close()
        const holding = documents.flatMap((fields, i) => (matchesText({ kind: 'exact', text }, fields) ? [i] : []))
        if (found !== null) expect(found, text).toEqual(expect.arrayContaining(holding))
      },
    ),
    { numRuns: 200 },
  )
})

test('narrows by words whole and cut, and by their order', () => {
  const db = indexOf([['the answer is 42'], ['answers are'], ['is 42 the answer'], ['Das Wetter: 天气很好']])
  expect(narrowed(db, 'swer')).toEqual([0, 1, 2])
  expect(narrowed(db, 'swer is 4')).toEqual([0])
  expect(narrowed(db, 'ers a')).toEqual([1])
  expect(narrowed(db, '(answers ')).toEqual([1])
  expect(narrowed(db, '气很')).toEqual([3])
  expect(narrowed(db, 'nowhere')).toEqual([])
  expect(narrowed(db, 'answer nowhere')).toEqual([])
  expect(narrowed(db, '$%')).toBeNull()
  db.close()
})

test('reads every text where a part stands for very many words, or a word is longer than the index keeps', () => {
  const many = indexOf([[Array.from({ length: 600 }, (_, i) => `idea${i}`).join(' ')], ['idea7 once'], ['an idea800']])
  expect(narrowed(many, 'd')).toBeNull()
  expect(narrowed(many, 'a7 onc')).toEqual([1])
  // Of beginnings with three letters the index knows the samples.
  expect(narrowed(many, ' id')).toBeNull()
  expect(narrowed(many, 'n ide')).toEqual([2])
  many.close()
  const long = indexOf([['a'.repeat(40_000)], ['b']])
  expect(narrowed(long, 'aa')).toBeNull()
  long.close()
})
