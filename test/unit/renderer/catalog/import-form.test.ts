import { describe, expect, it } from 'vitest'
import { completeMapping, formatOf, guessMapping } from '../../../../src/renderer/catalog/import-form.ts'

describe('format of a file by its name', () => {
  it.each([
    ['tasks.jsonl', 'jsonl'],
    ['tasks.ndjson', 'jsonl'],
    ['Tasks.JSON', 'json'],
    ['a.b.csv', 'csv'],
    ['tasks.jsonl.gz', 'jsonl'],
  ])('%s is %s', (name, format) => {
    expect(formatOf(name)).toBe(format)
  })

  it.each(['tasks', 'tasks.xlsx', 'csv', 'tasks.csv.exe'])('does not guess for %s', name => {
    expect(formatOf(name)).toBeNull()
  })
})

describe('a first guess at the columns', () => {
  it('takes the usual names, in any case', () => {
    expect(guessMapping(['Question', 'answer', 'options', 'uid'])).toEqual({
      input: 'Question',
      target: 'answer',
      choices: 'options',
      id: 'uid',
    })
  })

  it('uses no column twice and leaves out what is not there', () => {
    expect(guessMapping(['prompt', 'output'])).toEqual({ input: 'prompt', target: 'output' })
    expect(guessMapping(['a', 'b'])).toEqual({})
  })
})

describe('the mapping that is sent', () => {
  it('is nothing until the question’s column is chosen', () => {
    expect(completeMapping({ target: 'answer' })).toBeUndefined()
  })

  it('leaves out the columns that the reader emptied', () => {
    expect(completeMapping({ input: 'q', target: '', id: 'id' })).toEqual({ input: 'q', id: 'id' })
  })
})
