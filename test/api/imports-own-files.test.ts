import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const own = (format: string, name: string, content: string, fields: Record<string, string> = {}) =>
  importToEnd(service, { fields: { format, name, ...fields }, files: [{ name: `data.${format}`, content }] })

describe('files of one’s own', () => {
  test('takes JSONL by the usual column names and can be run', async () => {
    const rows = ['Paris', 'Lima', 'Oslo'].map((city, i) =>
      JSON.stringify({ id: `c${i}`, question: `Which city is number ${i}?`, answer: [city, city.toUpperCase()] }),
    )
    const record = await own('jsonl', 'Capital cities', rows.join('\n'))
    expect(record).toMatchObject({
      status: 'imported',
      slug: 'capital-cities',
      rows: { valid: 3 },
      source_ref: expect.stringMatching(/^eval:\/\/local\/capital-cities\/[0-9a-f]{12}$/),
    })
    expect(record.preview[0]).toMatchObject({
      line: 1,
      task_id: 'c0',
      input: 'Which city is number 0?',
      targets: ['Paris', 'PARIS'],
      choices: null,
      prompt: 'Which city is number 0?',
    })

    const profile = await profileId(service.client, 'capital-cities', 'zero-shot')
    const { id } = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/oracle-100' }, profiles: [profile] })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(metrics.map(metric => [metric.metric, metric.estimate.mean])).toEqual([
      ['exact_match', 1],
      ['includes', 1],
      ['f1', 1],
    ])
  })

  test('warns of a name that mixes scripts', async () => {
    const record = await own('jsonl', 'gsm8\u043a', JSON.stringify({ question: 'Which?', answer: 'Lima' }))
    expect(record.warnings).toContainEqual(expect.stringContaining('mixes Latin and Cyrillic letters'))
  })

  test('takes CSV with a mapping, quoted cells over several lines, and names the lines that are wrong', async () => {
    const csv = 'Nr;Aufgabe;Lösung\r\n1;"Zwei\r\nZeilen";ja\r\n2;fehlt\r\n3;"offen" doch;nein\r\n4;leer;\r\n1;nochmal;nein\r\n'
    const record = await own('csv', 'Aufgaben', csv, { mapping: JSON.stringify({ input: 'Aufgabe', target: 'Lösung', id: 'Nr' }) })
    expect(record.columns).toEqual(['Nr', 'Aufgabe', 'Lösung'])
    expect(record.errors.map(({ line, message }) => [line, message])).toEqual([
      [
        4,
        'The row has 2 cells but the first line names 3 columns. Put quotes around cells that hold the delimiter, and begin the file with the names of the columns.',
      ],
      [5, 'After the quoted cell 2 a delimiter must follow.'],
      [6, 'The field "Lösung" is empty.'],
      [7, 'The id "1" was already used on line 2 of data.csv.'],
    ])
    expect(record).toMatchObject({ status: 'failed', rows: { read: 5, valid: 1, invalid: 4 } })
  })

  test('reads a JSON list with choices, one form of answer keys, and the chance level', async () => {
    const rows = [
      { input: 'one', choices: ['red', 'blue'], target: 'b' },
      { input: 'two', choices: ['red', 'blue', 'green', 'gray'], target: 'c' },
    ]
    const record = await own('json', 'Colors', JSON.stringify(rows, null, 2))
    expect(record.preview.map(row => [row.line, row.task_id, row.targets])).toEqual([
      [2, 'row-0001', ['B']],
      [10, 'row-0002', ['C']],
    ])
    expect(record.mapping).toMatchObject({ input: 'input', target: 'target', choices: 'choices', id: null })
    expect(record.answer_key).toEqual({
      form: 'letter',
      chosen_by: 'file',
      readings: [
        {
          form: 'letter',
          examples: [
            { line: 2, target: 'b', choice: 1, text: 'blue' },
            { line: 10, target: 'c', choice: 2, text: 'green' },
          ],
        },
      ],
    })
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'colors' } })
    expect(profiles[0]?.chance_level).toBeCloseTo((0.5 + 0.25) / 2)
  })

  test('refuses answer keys that mix forms or fit two, until one is chosen', async () => {
    const mixed = await own(
      'json',
      'Mixed',
      '[{"input": "x", "choices": ["red", "blue"], "target": "blue"}, {"input": "y", "choices": ["1", "2"], "target": 0}]',
    )
    expect(mixed).toMatchObject({ status: 'failed', error_count: 1 })
    const lines =
      '{"input": "x", "choices": ["red", "blue", "green"], "target": 1}\n{"input": "y", "choices": ["red", "blue", "green"], "target": 2}'
    const either = await own('jsonl', 'Either', lines)
    expect(either).toMatchObject({ status: 'failed', error_count: 1, answer_key: { form: null } })
    expect(either.errors[0]?.message).toContain('"zero_based" (its position counted from 0) means B, "blue"')
    const files = [{ name: 'either.jsonl', content: lines }]
    const mapping = JSON.stringify({ answer_key: 'one_based' })
    const chosen = await importToEnd(service, { fields: { format: 'jsonl', name: 'Either', mapping }, files })
    expect(chosen).toMatchObject({ status: 'imported', answer_key: { form: 'one_based', chosen_by: 'user' } })
    expect(chosen.preview.map(row => row.targets)).toEqual([['A'], ['B']])
  })

  test('breaks results down by the columns that are named as groups', async () => {
    const content = 'question,answer,topic\nq1,a,tides\nq2,b,moons\n'
    const fields = { format: 'csv', name: 'Grouped', mapping: JSON.stringify({ groups: ['topic'] }) }
    const record = await importToEnd(service, { fields, files: [{ name: 'grouped.csv', content }] })
    expect(record).toMatchObject({ status: 'imported', mapping: { groups: ['topic'] } })
  })

  test('says which columns there are when it cannot tell the input', async () => {
    const record = await own('jsonl', 'Unclear', '{"words": "hello", "gold": "world"}\n{"words": "no", "gold": "yes"}\n{"words": ')
    expect(record).toMatchObject({ columns: ['words', 'gold'], rows: { read: 3, invalid: 3 }, error_count: 2 })
    expect(record.errors).toEqual([
      {
        file: expect.any(String),
        line: null,
        message:
          'No column has a usual name for the input (input, question, prompt, query, problem); the file has "words", "gold". Name it as "input" in "mapping".',
        missing_column: 'input',
      },
      { file: expect.any(String), line: 3, message: expect.any(String) },
    ])
  })

  test('takes the columns out of the one that holds them, as WMT’s', async () => {
    const row = '{"translation": {"de": "Hallo", "en": "Hello"}}'
    const record = await own('jsonl', 'Translations', row, { mapping: JSON.stringify({ input: 'de', target: 'en' }) })
    expect(record.columns).toEqual(['de', 'en'])
    expect(record.preview[0]).toMatchObject({ input: 'Hallo', targets: ['Hello'] })
  })

  test('says that a question is sent without what it is about', async () => {
    const record = await own('jsonl', 'Apples', '{"Body": "Tom has 3 apples.", "Question": "How many?", "Answer": 3.0}')
    expect(record.warnings).toContain('The model is sent "Question" without "Body". To show it, write {Body} in the prompt template.')
  })

  test('adds a version to the benchmark of the same name and keeps the first', async () => {
    const first = await own('jsonl', 'Twice', '{"input": "a", "target": "1"}')
    const second = await own('jsonl', 'Twice', '{"input": "a", "target": "2"}')
    const { versions, latest_version } = await service.client.call('getBenchmark', { params: { slug: 'twice' } })
    expect(versions.map(version => version.source_ref)).toEqual([second.source_ref, first.source_ref])
    expect(latest_version?.source_ref).toBe(second.source_ref)
  })

  test('warns of rows that repeat an input', async () => {
    const record = await own('jsonl', 'Echo', '{"input": "a", "target": "one"}\n\n{"input": "a", "target": "two"}')
    expect(record.status).toBe('imported')
    expect(record.warnings).toEqual([
      '1 row repeats the input of an earlier one, first on line 3 of data.jsonl. They are kept and count as separate tasks.',
    ])
  })
})
