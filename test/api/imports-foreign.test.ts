import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const land = (format: string, name: string, content: string, fields: Record<string, string> = {}) =>
  importToEnd(service, { fields: { format, name, ...fields }, files: [{ name: format.endsWith('csv') ? 'x.csv' : 'x.jsonl', content }] })
const lines = (...rows: object[]) => rows.map(row => JSON.stringify(row)).join('\n')

describe('a dataset of Inspect', () => {
  it('is imported with messages, choices by letter and ids, and can be run', async () => {
    const record = await land(
      'inspect_jsonl',
      'From Inspect',
      lines(
        { input: 'Two and two?', target: 'B', choices: ['three', 'four'], id: 7 },
        {
          input: [{ role: 'user', content: [{ type: 'text', text: 'Up or down?' }] }],
          target: 'A',
          choices: ['up', 'down'],
          metadata: { x: 1 },
        },
      ),
    )
    expect(record).toMatchObject({ status: 'imported', rows: { valid: 2 } })
    expect(record.preview).toEqual([
      { line: 1, task_id: '7', input: 'Two and two?', targets: ['B'], choices: ['three', 'four'] },
      { line: 2, task_id: 'row-0002', input: 'Up or down?', targets: ['A'], choices: ['up', 'down'] },
    ])
    const { id } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-100' },
      profiles: [await profileId(service.client, 'from-inspect', 'zero-shot')],
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(metrics[0]?.estimate.mean).toBe(1)
  })

  it('is refused line by line where a sample is more than a question', async () => {
    const record = await land(
      'inspect_jsonl',
      'Refused',
      lines(
        { input: 'a', target: 'b', sandbox: 'docker' },
        { input: 'a', target: 'C', choices: ['x', 'y'] },
        { input: [{ role: 'user', content: [{ type: 'image', image: 'x' }] }], target: 'b' },
        { input: 'a' },
      ),
    )
    expect(record.status).toBe('failed')
    expect(record.errors.map(({ line, message }) => [line, message])).toEqual([
      [1, 'The sample needs "sandbox", which an import of questions cannot provide.'],
      [2, 'The target "C" must be the letter of a choice, A to B.'],
      [3, 'A message of "input" holds a part of type "image"; only text can be imported.'],
      [4, 'The field "target" is missing.'],
    ])
  })
})

it('samples of OpenAI evals keep their roles and every ideal answer', async () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Capital of France?' },
  ]
  const record = await land(
    'openai_evals_jsonl',
    'From evals',
    lines({ input: messages, ideal: ['Paris', 'paris'] }, { input: 'Two?', ideal: '2' }),
  )
  expect(record.preview.map(({ input, targets }) => [input, targets])).toEqual([
    ['SYSTEM:\nBe brief.\n\nUSER:\nCapital of France?', ['Paris', 'paris']],
    ['Two?', ['2']],
  ])
})

describe('tests of promptfoo', () => {
  it('are imported by their one variable, its wrapping and what is expected', async () => {
    const csv =
      'question,__expected,__prefix,__description\nWhat is 2+2?,4,Answer: ,sum\n"Name a colour","contains-any: red, blue",,\nHello?,icontains: hi,,\n'
    const record = await land('promptfoo_csv', 'From promptfoo', csv)
    expect(record.preview.map(({ input, targets }) => [input, targets])).toEqual([
      ['Answer: What is 2+2?', ['4']],
      ['Name a colour', ['red', 'blue']],
      ['Hello?', ['hi']],
    ])
  })

  it('need to be told which variable is the question, and refuse what no reference answer can stand for', async () => {
    const csv =
      'topic,text,__expected,__expected2\nx,one,llm-rubric: is kind,\nx,two,contains: a,contains: b\nx,three,similar(0.8): cat,\nx,four,,\n'
    const told = await land('promptfoo_csv', 'Told', csv, { mapping: JSON.stringify({ input: 'text' }) })
    expect(told.errors.map(({ line, message }) => [line, message.split(';')[0]])).toEqual([
      [2, 'The assertion "llm-rubric" cannot be imported'],
      [3, 'The answer must meet 2 assertions at once'],
      [4, 'The assertion "similar" cannot be imported'],
      [5, 'The row has no "__expected".'],
    ])
    const untold = await land('promptfoo_csv', 'Untold', csv)
    expect(untold.errors[0]?.message).toContain('There are 2 variables (topic, text)')
  })
})

it('a name that an environment has is not given away', async () => {
  await expect(land('jsonl', 'Grid puzzle', lines({ input: 'a', target: 'b' }))).rejects.toThrow(/is a benchmark that Assay knows/)
})
