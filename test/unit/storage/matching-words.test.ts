import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/database.ts'
import { matchesWords } from '../../../src/storage/matching-words.ts'

test('finds words in any order, inside longer ones, and leaves out excluded ones', () => {
  const db = openDatabase(':memory:')
  db.prepare('create table runs (no integer primary key, search text not null)').run()
  for (const text of ['gpt-4o on gsm8k nightly', 'gsm8k with llama', 'mmlu gpt-4o'])
    db.prepare('insert into runs (search) values (?)').run(text)
  const found = (q: string) =>
    db.all(db.sql.selectFrom('runs').select('no').where(matchesWords('runs.search', q)).orderBy('no')).map(({ no }) => no)
  expect(found('GSM gpt')).toEqual([1])
  expect(found('gpt -gsm8k')).toEqual([3])
  expect(found('"gpt-4o on"')).toEqual([1])
  expect(found('-llama')).toEqual([1, 3])
  expect(found(' ')).toEqual([1, 2, 3])
  expect(found('%')).toEqual([])
  db.close()
})
