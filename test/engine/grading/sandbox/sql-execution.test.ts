import { describe, expect, test } from 'vitest'
import { sqlQuestions } from '../../../../src/engine/importing/recipes/readable/code/sql-questions.ts'
import { prepareCodeScorer } from '../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { queryOf } from '../../../../src/engine/grading/scorers/code/sql-execution.scorer.ts'
import { useSandbox } from './sandboxed.ts'

const sandbox = useSandbox()

const database = `
create table pets (id integer primary key, name text, kind text, weight real, owner integer);
insert into pets values (1, 'Rex', 'dog', 12.5, 1), (2, 'Tom', 'cat', 4.0, 2), (3, 'Ada', 'cat', 4.0, null), (4, 'Bo', 'dog', 30.0, 1);
create table owners (id integer, name text);
insert into owners values (1, 'Kim'), (2, 'Lee');
`
const grade = (rule: 'spider' | 'bird', output: string, gold: string, more: { options?: object; database?: unknown } = {}) =>
  prepareCodeScorer(
    { scorer: `${rule}/execution`, options: more.options ?? {} },
    { python: sandbox(), javascript: null },
  )({ output, targets: [gold], metadata: { database: more.database ?? database } })

describe('execution accuracy', () => {
  // By the rules of Spider and of BIRD; 1 is right, 0 is wrong.
  test.each([
    ['the same query', 'select name from pets', 'select name from pets', 1, 1],
    ['another query with the same rows', "select name from pets where kind = 'cat'", 'select name from pets where weight < 5', 1, 1],
    ['other rows', "select name from pets where kind = 'dog'", 'select name from pets where weight < 5', 0, 0],
    ['another order of rows', 'select name from pets order by name', 'select name from pets', 1, 1],
    ['another order where the gold query has one', 'select name from pets order by name desc', 'select name from pets order by name', 0, 1],
    ['another order of columns', 'select kind, name from pets', 'select name, kind from pets', 1, 0],
    ['the same under ORDER BY', 'select kind, name from pets order by name', 'select name, kind from pets order by name', 1, 0],
    ['four columns in another order', 'select owner, weight, kind, name from pets', 'select name, kind, weight, owner from pets', 1, 0],
    [
      'columns that agree one by one and not by row',
      'select a.name, b.weight from pets a join pets b on b.id = 5 - a.id',
      'select name, weight from pets',
      0,
      0,
    ],
    ['repeated rows', 'select kind from pets', 'select kind from pets group by kind', 0, 1],
    ['DISTINCT, which Spider drops', 'select distinct kind from pets', 'select kind from pets', 1, 1],
    ['"distinct" as text', "select 'distinct' from pets", "select 'distinct' from pets", 1, 1],
    ['NULL', 'select owner from pets where id = 3', 'select null', 1, 1],
    ['NULL and nothing', 'select owner from pets where id = 3', 'select owner from pets where id = 9', 0, 0],
    ['NULL and the word', "select 'None'", 'select null', 0, 0],
    ['a whole number as float', 'select 4', 'select weight from pets where id = 2', 1, 1],
    ['floats that differ in the last place', 'select 0.1 + 0.2', 'select 0.3', 0, 0],
    ['a number and its text', "select '4'", 'select 4', 0, 0],
    ['two columns where one is expected', 'select name, kind from pets', 'select name from pets', 0, 0],
    ['blanks within comparisons', 'select name from pets where weight > = 12.5', 'select name from pets where weight >= 12.5', 1, 0],
    ['a table that is not there', 'select * from dogs', 'select name from pets', 0, 0],
    ['no SQL', 'I do not know.', 'select name from pets', 0, 0],
    ['an empty reply', '', 'select name from pets', 0, 0],
    ['a write', 'delete from pets', 'select name from pets', 0, 0],
    ['two statements', 'select name from pets; select 1', 'select name from pets', 1, 0],
    ['PRAGMA', 'pragma table_info(owners)', 'select name from pets', 0, 0],
    ['PRAGMA where it gives the rows', 'select name from pragma_table_info("owners")', "select 'id' union all select 'name'", 1, 1],
  ])('%s', async (_, answer, gold, spider, bird) => {
    const [first, second] = await Promise.all([grade('spider', answer, gold), grade('bird', answer, gold)])
    expect([first.value, second.value], `${first.explanation} ${second.explanation}`).toEqual([spider, bird])
  })

  test('DISTINCT counts where it is kept', async () => {
    const options = { keep_distinct: true }
    expect(await grade('spider', 'select distinct kind from pets', 'select kind from pets', { options })).toMatchObject({ value: 0 })
  })

  test('a query that fails is wrong, in the words of SQLite', async () => {
    expect(await grade('bird', 'select nme from pets', 'select name from pets')).toMatchObject({
      value: 0,
      label: 'failed',
      explanation: 'SQLite does not run the query: no such column: nme.',
    })
    expect((await grade('bird', 'selec 1', 'select 1')).explanation).toContain('near "selec": syntax error')
  })

  test('a query that reaches for another file is refused', async () => {
    for (const query of [
      "attach '/etc/passwd' as other",
      "attach 'x.db' as other",
      "vacuum into 'copy.db'",
      "select load_extension('x')",
    ]) {
      const score = await grade('bird', query, 'select name from pets')
      expect(score.value, query).toBe(0)
      expect(score.explanation, query).toMatch(/not authorized|authorization denied/)
    }
  })

  test('a query without an end is stopped', async () => {
    const endless = (what: string) => `with recursive t(n) as (select 1 union all select n + 1 from t) select ${what} from t`
    const options = { time_limit_s: 1 }
    expect(await grade('spider', endless('max(n)'), 'select 1', { options })).toMatchObject({
      value: 0,
      label: 'timeout',
      explanation: 'The query did not end within 1 s.',
    })
    expect(await grade('bird', 'select length(zeroblob(2000000000))', 'select 1', { options })).toMatchObject({ value: 0, label: 'failed' })
    expect(await grade('bird', 'select 1', endless('max(n)'), { options })).toMatchObject({ value: null })
  })

  test('rows that do not fit into memory are the query’s fault', async () => {
    const query = 'with recursive t(n) as (select 1 union all select n + 1 from t) select n, hex(zeroblob(1000000)) from t'
    const score = await grade('bird', query, 'select 1')
    expect(score, score.explanation).toMatchObject({ value: 0, label: 'failed' })
  })

  test('rows whose comparison would not fit into memory are wrong, too', async () => {
    const rows = 'with recursive t(n) as (select 1 union all select n + 1 from t limit 9000000) select n from t'
    const score = await grade('bird', rows, 'select 1', { options: { time_limit_s: 120 } })
    expect(score, score.explanation).toMatchObject({ value: 0, label: 'failed' })
  })

  test('what a task lacks or breaks is named, and nothing is scored', async () => {
    expect(await grade('bird', 'select 1', 'select name from nowhere')).toMatchObject({
      value: null,
      explanation: 'The task’s gold query cannot be used, so the answer was not graded: no such table: nowhere.',
    })
    expect((await grade('bird', 'select 1', 'select 1', { database: 'create tabel x' })).explanation).toMatch(
      /database cannot be used.*syntax error/,
    )
    expect((await grade('bird', 'select 1', 'select 1', { database: 7 })).explanation).toMatch(/has no database/)
    expect(await grade('bird', 'select 1', 'select 1', { database: 'create tabel x' })).toMatchObject({ value: null })
  })

  test('an answer changes nothing for what is graded after it', async () => {
    await grade('bird', 'drop table pets', 'select name from pets')
    expect(await grade('bird', 'select name from pets', 'select name from pets')).toMatchObject({ value: 1 })
  })

  test('is checked on every database of the task', async () => {
    const other = `${database} insert into pets values (5, 'Ivo', 'cat', 9.0, 2);`
    const score = await grade('spider', 'select name from pets where weight < 5', "select name from pets where kind = 'cat'", {
      database: [database, other],
    })
    expect(score).toMatchObject({ value: 0 })
    expect(score.explanation).toBe('In database 2 of 2 the query gives 2 × 1 where the gold query gives 3 × 1 (rows × columns).')
  })
})

test.each([
  ['Sure:\n```sql\nselect 1\n```\nor better\n```sql\nselect 2\n```', 'select 2'],
  ['```python\nx\n```\nThe query is\nSELECT a\nFROM t;\nIt counts.', 'SELECT a\nFROM t'],
  ['With this schema it is easy.\nWITH x AS (select 1) select * from x', 'WITH x AS (select 1) select * from x'],
  ['<think>\nselect 1\n</think>\nselect 2', 'select 2'],
])('the query of %j', (reply, query) => expect(queryOf(reply)).toBe(query))

test('a table of questions is imported with its databases, and the model sees the tables without their rows', async () => {
  const [file] = sqlQuestions.files
  if (file?.content.holds !== 'tasks') throw new Error('The recipe has no tasks.')
  const value = {
    question_id: 7,
    question: 'Which cats?',
    evidence: 'kind',
    SQL: "select name from pets where kind = 'cat'",
    database,
    db_id: 'pets',
  }
  const task = file.content.read({ value, line: 1, position: 1 })
  expect(task).toMatchObject({ id: '7', targets: [value.SQL], metadata: { db_id: 'pets', difficulty: 'Not stated' } })
  expect(task.fields['question']).toBe('Which cats?\n\nHint: kind')
  expect(task.fields['schema']).toContain('create table owners (id integer, name text);')
  expect(task.fields['schema']).not.toContain('Rex')
  const score = prepareCodeScorer({ scorer: 'bird/execution' }, { python: sandbox(), javascript: null })
  expect(await score({ output: value.SQL, targets: task.targets, metadata: task.metadata })).toMatchObject({ value: 1 })
})
