import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { matchesText } from '../../../../src/lib/text-query.ts'
import { type Database, openDatabase } from '../../../../src/storage/database.ts'
import { createMarkWriter, marksTable, positionsOfMark } from '../../../../src/storage/reads/exact-marks.ts'
import type { SearchedTexts } from '../../../../src/storage/reads/searched-texts.ts'
import { temporaryFolder } from '../../../support/service.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())
let files = 0

/** The marks of samples, attached as those of a run are; written in parts that end where the samples of `parts` do. */
function marksOf(parts: readonly (readonly SearchedTexts[])[]): Database {
  const path = `${folder.path}/${files++}.index`
  const index = openDatabase(path)
  index.prepare(marksTable).run()
  for (const part of parts) {
    const writer = createMarkWriter(index)
    for (const sample of part) writer.add(sample)
    writer.end()
  }
  index.close()
  const db = openDatabase(':memory:')
  db.prepare('attach ? as search_index').run(path)
  return db
}

const piece = fc.constantFrom(
  '$',
  '$$',
  '\\',
  '{',
  '…',
  'e',
  'E',
  'é',
  'e\u0301',
  '5',
  '²',
  'x',
  ' ',
  '\n',
  '❤\ufe0f',
  '😀',
  '\ud83d',
  '天',
  '\0',
)
const field = fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join(''))
const samples = fc
  .array(fc.record({ gap: fc.constantFrom(1, 7, 4095, 9000), fields: fc.array(field, { maxLength: 3 }) }), { maxLength: 12 })
  .map(list => {
    let position = -1
    return list.map(({ gap, fields }): SearchedTexts => ({ position: (position += gap), fields }))
  })

test('finds the samples with a mark, and no others, wherever positions and parts begin', () => {
  let known = 0
  fc.assert(
    fc.property(samples, fc.nat(12), fc.array(piece, { minLength: 1, maxLength: 2 }), (list, cut, pieces) => {
      const text = pieces.join('')
      const db = marksOf([list.slice(0, cut), list.slice(cut)])
      const found = positionsOfMark(db, text)
      db.close()
      if (found === null) return
      known++
      expect(found, text).toEqual(list.filter(({ fields }) => matchesText({ kind: 'exact', text }, fields)).map(({ position }) => position))
    }),
    { numRuns: 300 },
  )
  expect(known).toBeGreaterThan(30)
})

test.each(['$', '**', '{', 'e', 'P', '7', '…'])('knows %j by its marks alone', text => {
  const db = marksOf([[{ position: 3, fields: ['Pay $5 **now**', '\\text{See 7…}'] }]])
  expect(positionsOfMark(db, text)).toEqual([3])
  db.close()
})

test.each(['ab', 'é', '$5', ' ', '$ $', '\ud83d', 'e\u0301'])('leaves %j to the texts', text => {
  const db = marksOf([[{ position: 0, fields: [text] }]])
  expect(positionsOfMark(db, text)).toBeNull()
  db.close()
})

test('leaves all to the texts where there are too many marks, or too long ones', () => {
  const signs = ['!', '#', '%', '&', '*', '+', '/', ':']
  const counted = (n: number) => [...n.toString(8).padStart(5, '0')].map(digit => signs[Number(digit)]).join('')
  const many = marksOf([[{ position: 0, fields: [Array.from({ length: 5000 }, (_, i) => counted(i)).join(' ')] }]])
  expect(positionsOfMark(many, '!')).toBeNull()
  many.close()
  const long = marksOf([[{ position: 0, fields: ['-'.repeat(300_000)] }]])
  expect(positionsOfMark(long, '-')).toBeNull()
  long.close()
})
