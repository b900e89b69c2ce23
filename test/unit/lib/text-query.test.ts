import { describe, expect, test } from 'vitest'
import { matchesText, parseTextQuery, searchTerms, toIndexExpression, toSearchDocument, toWords } from '../../../src/lib/text-query.ts'
import { openDatabase } from '../../../src/storage/database.ts'

const matches = (q: string, fields: readonly string[], match: 'words' | 'exact' = 'words') => {
  const query = parseTextQuery(q, match)
  if (query === null) throw new Error('Nothing is searched.')
  return matchesText(query, fields)
}

describe('a search in words', () => {
  test('reads no search from spaces', () => expect(parseTextQuery('  ')).toBeNull())

  test.each([
    ['eggs', ['Janet sells EGGS.'], true],
    ['egg', ['Janet sells eggs.'], true],
    ['gs', ['Janet sells eggs.'], false],
    ['sells janet', ['Janet sells eggs.'], true],
    ['"sells janet"', ['Janet sells eggs.'], false],
    ['"janet sells"', ['Janet', 'sells'], false],
    ['janet sells', ['Janet', 'sells'], true],
    ['janet -eggs', ['Janet sells eggs.'], false],
    ['janet -egg', ['Janet sells eggs.'], true],
    ['-"sells milk"', ['Janet sells eggs.'], true],
    ['12', ['120 eggs'], false],
    ['12', ['It costs $12.'], true],
    ['1,560', ['The answer is 1,560'], true],
    ['gsm8k-12', ['gsm8k-12'], true],
    ['resume', ['Résumé'], true],
    ['RÉSUMÉ', ['resume'], true],
    ['天气', ['今天天气很好'], true],
    ['气天', ['今天天气很好'], false],
    ['$', ['It costs $12.'], true],
    ['$', ['It costs 12.'], false],
    ['"unclosed phrase', ['an unclosed phrase here'], true],
    ['OR AND NOT', ['or and not'], true],
    ['§', ['nothing'], false],
  ])('%j in %j is %j', (q, fields, expected) => expect(matches(q, fields)).toBe(expected))

  test('finds exact text with its case and punctuation', () => {
    expect(matches('\\boxed{4', ['so \\boxed{42}'], 'exact')).toBe(true)
    expect(matches('\\Boxed{4', ['so \\boxed{42}'], 'exact')).toBe(false)
  })
})

test('finds the same with its index expression as by reading', () => {
  const texts = [
    ['gsm8k-1', 'Janet sells eggs for $2 each.', 'The answer is 1,560.'],
    ['gsm8k-12', 'Eggs and résumés', '今天天气很好'],
    ['gsm8k-2', '', 'no answer'],
    ['x', 'the the the', "don't"],
  ]
  const queries = ['egg', '"sells eggs"', '-egg', 'the -egg', '-"no answer" answer', 'gsm8k-1', '天气', 'resume', '1,560', 'don’t', '2']
  const db = openDatabase(':memory:')
  db.prepare(`create virtual table documents using fts5 (text, content = '', columnsize = 0, tokenize = 'ascii')`).run()
  for (const [i, fields] of texts.entries())
    db.prepare('insert into documents (rowid, text) values (?, ?)').run(i, toSearchDocument(fields))
  for (const q of queries) {
    const query = parseTextQuery(q)
    if (query === null) throw new Error(q)
    const found = db.prepare('select rowid from documents where documents match ? order by rowid').pluck().all(toIndexExpression(query))
    expect(found, q).toEqual(texts.flatMap((fields, i) => (matchesText(query, fields) ? [i] : [])))
  }
  db.close()
})

test('narrows exact text only by words that it holds whole', () => {
  const expression = (text: string) => toIndexExpression({ kind: 'exact', text })
  expect(expression('answer')).toBeNull()
  expect(expression('the answer is')).toBe('"answer"')
  expect(expression(' answer.')).toBe('"answer"')
  expect(expression('é answer ')).toBeNull()
})

test('makes words of any text', () => {
  expect(toWords('A–B  c_d')).toBe('a b c d')
  expect(toWords('ﬁne ①')).toBe('fine 1')
})

test('reads the search of a list as words, phrases and exclusions', () => {
  expect(searchTerms('GPT-4 "zero shot" -old -"two words" -')).toEqual([
    { text: 'gpt-4', isPhrase: false, isExcluded: false },
    { text: 'zero shot', isPhrase: true, isExcluded: false },
    { text: 'old', isPhrase: false, isExcluded: true },
    { text: 'two words', isPhrase: true, isExcluded: true },
  ])
})
