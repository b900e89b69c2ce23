import { describe, expect, test } from 'vitest'
import { choiceColumns, formatOf, shownMapping, toChoices } from '../../../../src/renderer/catalog/import-form.ts'

describe('format of a file by its name', () => {
  test.each([
    ['tasks.jsonl', 'jsonl'],
    ['tasks.ndjson', 'jsonl'],
    ['Tasks.JSON', 'json'],
    ['a.b.csv', 'csv'],
    ['tasks.xlsx', 'csv'],
    ['tasks.jsonl.gz', 'jsonl'],
  ])('%s is %s', (name, format) => {
    expect(formatOf(name)).toBe(format)
  })

  test.each(['tasks', 'csv', 'tasks.csv.exe'])('does not guess for %s', name => {
    expect(formatOf(name)).toBeNull()
  })
})

describe('the columns shown', () => {
  test('are what the service read, with the reader’s choices over them', () => {
    expect(shownMapping({ input: 'q', target: 'a', choices: ['A', 'B'] }, { target: 'b', choices: null })).toEqual({
      input: 'q',
      target: 'b',
      choices: null,
    })
    expect(shownMapping(null, { input: 'q' })).toEqual({ input: 'q' })
  })

  test('hold choices as a list whichever form they came in', () => {
    expect(choiceColumns({ choices: 'options' })).toEqual(['options'])
    expect(choiceColumns({ choices: ['A', 'B'] })).toEqual(['A', 'B'])
    expect(choiceColumns({})).toEqual([])
  })
})

describe('choices as they are sent', () => {
  test('are a column with a list, columns with a choice each, or none', () => {
    expect(toChoices(['options'])).toBe('options')
    expect(toChoices(['A', 'B'])).toEqual(['A', 'B'])
    expect(toChoices([])).toBeNull()
  })
})
