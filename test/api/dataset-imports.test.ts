import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importExamples, importEnded, pandalmIsMissing, pandalmMapping, readPandalm, sendExamples } from '../support/datasets.ts'
import { type TestService, startTestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

type Task = 'answer' | 'classify' | 'pairwise' | 'score'
const newDataset = async (task: Task = 'answer', more: { labels?: string[]; score_range?: [number, number] } = {}) =>
  (await service.client.call('createDataset', { body: { name: `Imported ${task}`, task, ...more } })).id
const examplesOf = async (dataset_id: string) => (await service.client.call('listExamples', { params: { dataset_id } })).items
const lines = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')
const table = (mapping: object, more: object = {}) => ({ format: 'jsonl', mapping: JSON.stringify(mapping), ...more })

describe.skipIf(pandalmIsMissing)('PandaLM’s 999 items and three annotators (needs ../shared/data/judges/pandalm)', () => {
  test('import with the published agreement and majority labels', async () => {
    const id = await newDataset('pairwise')
    const fields = { format: 'json', mapping: JSON.stringify(pandalmMapping) }
    const record = await importExamples(service, id, { name: 'testset-v1.json', content: readPandalm(), fields })
    expect(record).toMatchObject({ status: 'imported', created: 999, duplicates: 0, error_count: 0, rows: { read: 999, valid: 999 } })
    const dataset = await service.client.call('getDataset', { params: { dataset_id: id } })
    expect(dataset.counts).toMatchObject({ total: 999, draft: 999 })
    // EXPECTED.json, pandalm-iaa: 0 is a tie, 1 the first answer, 2 the second; no item is without a majority.
    expect(dataset.label_coverage).toEqual({
      labeled: 999,
      tied: 0,
      unlabeled: 0,
      values: [
        { value: 'a', examples: 422 },
        { value: 'b', examples: 472 },
        { value: 'tie', examples: 105 },
      ],
    })
    const { alpha, pairs } = dataset.agreement ?? { alpha: null, pairs: [] }
    expect(alpha?.n).toBe(999)
    expect(alpha?.mean).toBeCloseTo(0.864, 3)
    expect(alpha?.interval?.low).toBeGreaterThan(0.83)
    expect(alpha?.interval?.low).toBeLessThan(0.864)
    expect(alpha?.interval?.high).toBeGreaterThan(0.864)
    expect(alpha?.interval?.high).toBeLessThan(0.9)
    expect(pairs.map(({ a, b, kappa }) => [a, b, Number(kappa.mean?.toFixed(4))])).toEqual([
      ['annotator1', 'annotator2', 0.852],
      ['annotator1', 'annotator3', 0.8789],
      ['annotator2', 'annotator3', 0.8617],
    ])
  })
})

describe('a file of examples', () => {
  test('becomes visible whole; what its mapping does not name is metadata', async () => {
    const id = await newDataset('classify', { labels: ['billing', 'other'] })
    const rows = [
      { text: 'Where is my refund?', gold: 7, team: 'north', ann: 'billing', item: 'q-1' },
      { text: 'Hello', gold: true, team: 'south', ann: '', item: 2 },
    ]
    const mapping = { input: 'text', expected: 'gold', id: 'item', labels: { ann: 'ann' } }
    const record = await importExamples(service, id, { name: 'tickets.jsonl', content: lines(rows), fields: table(mapping) })
    expect(record).toMatchObject({ status: 'imported', created: 2, job_id: expect.any(String) })
    const [first, second] = await examplesOf(id)
    expect(first).toMatchObject({
      input: 'Where is my refund?',
      expected: '7',
      label: 'billing',
      label_by: 'person',
      metadata: { team: 'north', item: 'q-1' },
      origin: { kind: 'import', ref: { import_id: record.id, file: 'tickets.jsonl', line: 1, id: 'q-1' } },
    })
    expect(second).toMatchObject({ expected: 'true', label: null, labels: [], origin: { ref: { id: '2' } } })
  })

  test('is listed with its state, newest first', async () => {
    const { id } = await service.client.call('createDataset', { body: { name: 'Listed', task: 'answer' } })
    const fields = { format: 'jsonl', mapping: JSON.stringify({ input: 'q' }) }
    const good = await importExamples(service, id, { name: 'good.jsonl', content: '{"q":"one"}', fields })
    const bad = await importExamples(service, id, { name: 'bad.jsonl', content: '{"x":"one"}', fields })
    const { items } = await service.client.call('listDatasetImports', { params: { dataset_id: id } })
    expect(items.map(({ id: importId, status, file, created }) => [importId, status, file.name, created])).toEqual([
      [bad.id, 'failed', 'bad.jsonl', 0],
      [good.id, 'imported', 'good.jsonl', 1],
    ])
  })

  test('with bad rows fails with each line named, and adds nothing', async () => {
    const id = await newDataset('score', { score_range: [1, 5] })
    const content = [
      '{"q":"one","a":"x","s":3}',
      '{"q":"","a":"x","s":3}',
      'not json',
      '{"q":"four","a":"x","s":9}',
      '{"a":"x","s":1}',
      '{"q":"six","a":"x","s":"high"}',
    ].join('\n')
    const mapping = { input: 'q', output: 'a', labels: { me: 's' } }
    const record = await importExamples(service, id, { name: 'scores.jsonl', content, fields: table(mapping) })
    expect(record).toMatchObject({ status: 'failed', created: 0, error_count: 5, rows: { read: 6, valid: 1, invalid: 5 } })
    expect(record.errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6])
    expect(record.errors.map(({ message }) => message).join('\n')).toMatch(
      /"q" is empty[^]*"s" must be a number from 1 to 5, not 9[^]*"q" is missing/,
    )
    expect(await examplesOf(id)).toEqual([])
    const job = await service.client.call('getJob', { params: { job_id: record.job_id ?? '' } })
    expect(job).toMatchObject({ state: 'failed', error: { code: 'validation_error', message: expect.stringContaining('Line 2: ') } })
  })

  test('is only previewed by a dry run, which also finds the columns without a mapping', async () => {
    const id = await newDataset()
    const content = 'question,answer\r\n"What, then?",=1+1\r\nwhy,because\r\n'
    const columns = await importExamples(service, id, { name: 'qa.csv', content, fields: { format: 'csv', dry_run: 'true' } })
    expect(columns).toMatchObject({ status: 'previewed', columns: ['question', 'answer'], preview: [], rows: { read: 2, valid: 2 } })
    const listed = async (only: boolean) =>
      (await service.client.call('listDatasetImports', { params: { dataset_id: id }, query: { dry_run: only } })).items.map(one => one.id)
    expect([await listed(true), await listed(false)]).toEqual([[columns.id], []])
    expect(columns.sample_rows).toEqual([
      { question: 'What, then?', answer: '=1+1' },
      { question: 'why', answer: 'because' },
    ])
    const fields = { format: 'csv', dry_run: 'true', mapping: JSON.stringify({ input: 'question', output: 'answer' }) }
    const preview = await importExamples(service, id, { name: 'qa.csv', content, fields })
    expect(preview.preview).toMatchObject([{ line: 2, input: 'What, then?', output: '=1+1' }, { input: 'why' }])
    expect(await examplesOf(id)).toEqual([])
  })

  test('leaves out what the dataset holds, and rows that repeat', async () => {
    const id = await newDataset()
    const content = lines([{ q: 'a' }, { q: 'b' }, { q: 'a' }])
    const first = await importExamples(service, id, { name: 'x.jsonl', content, fields: table({ input: 'q' }) })
    expect(first).toMatchObject({ created: 2, duplicates: 1, duplicate_items: [{ line: 3 }] })
    const again = await importExamples(service, id, { name: 'x.jsonl', content, fields: table({ input: 'q' }) })
    expect(again).toMatchObject({ status: 'imported', created: 0, duplicates: 3 })
  })

  test.each([
    [
      'inspect_jsonl',
      'i.jsonl',
      '{"input":[{"role":"user","content":"2+2?"}],"target":"4","id":"x","metadata":{"topic":"sums"},"choices":["3","4"]}',
      {
        input: [{ role: 'user', content: '2+2?' }],
        expected: '4',
        metadata: { topic: 'sums', choices: ['3', '4'], id: 'x' },
        origin: { ref: { id: 'x' } },
      },
    ],
    [
      'openai_evals_jsonl',
      'o.jsonl',
      '{"input":[{"role":"system","content":"Be short"},{"role":"user","content":"Capital?"}],"ideal":["Paris","paris"]}',
      {
        input: [
          { role: 'system', content: 'Be short' },
          { role: 'user', content: 'Capital?' },
        ],
        expected: ['Paris', 'paris'],
      },
    ],
    [
      'promptfoo_csv',
      'p.csv',
      'topic,lang,__expected\nbirds,en,Robin\n',
      { input: { topic: 'birds', lang: 'en' }, expected: 'Robin', metadata: {} },
    ],
    [
      'promptfoo_yaml',
      'p.yaml',
      '- vars:\n    topic: birds\n  assert:\n    - type: llm-rubric\n      value: is kind\n',
      {
        input: { topic: 'birds' },
        expected: null,
        metadata: { assert: [{ type: 'llm-rubric', value: 'is kind' }] },
      },
    ],
    [
      'promptfoo_yaml',
      'c.yaml',
      'prompts: [x]\ntests:\n  - vars: { topic: fish }\n    assert:\n      - type: equals\n        value: Cod\n',
      {
        input: { topic: 'fish' },
        expected: 'Cod',
      },
    ],
  ] as const)('in the form of %s needs no mapping', async (format, name, content, expected) => {
    const id = await newDataset()
    const record = await importExamples(service, id, { name, content, fields: { format } })
    expect(record).toMatchObject({ status: 'imported', created: 1, errors: [] })
    expect(await examplesOf(id)).toMatchObject([expected])
  })

  test('is refused with the field that does not fit', async () => {
    const id = await newDataset()
    const pairs = await newDataset('pairwise')
    const refusals = [
      [id, { format: 'jsonl' }, 'mapping'],
      [id, { format: 'inspect_jsonl', mapping: '{"input":"q"}' }, 'mapping'],
      [id, { format: 'jsonl', mapping: '{"input":' }, 'mapping'],
      [id, { format: 'jsonl', mapping: '{"input":"q","output_a":"x"}' }, 'mapping'],
      [id, table({ input: 'q', output_a: 'x', output_b: 'y' }), 'mapping'],
      [pairs, table({ input: 'q' }), 'mapping'],
      [id, { format: 'xml' }, 'format'],
      [id, { ...table({ input: 'q' }), dry_run: 'maybe' }, 'dry_run'],
    ] as const
    for (const [dataset, fields, field] of refusals) {
      const reply = await sendExamples(service, service.client, dataset, { name: 'x.jsonl', content: '{"q":"a"}', fields })
      const body = (await reply.json()) as { detail: { loc: string[] }[] } // an error's shape is checked for every endpoint
      expect({ fields, status: reply.status, at: body.detail[0]?.loc[1] }).toEqual({ fields, status: 422, at: field })
    }
  })

  test('sent twice under one key is imported once', async () => {
    const id = await newDataset()
    const file = { name: 'x.jsonl', content: '{"q":"once"}', fields: table({ input: 'q' }) }
    const send = async (content = file.content) => {
      const reply = await sendExamples(service, service.client, id, { ...file, content }, { 'idempotency-key': 'import-once' })
      return { status: reply.status, body: (await reply.json()) as { id: string; error?: { code: string } } } // checked below
    }
    const first = await send()
    expect((await send()).body.id).toBe(first.body.id)
    expect((await send('{"q":"other"}')).body.error?.code).toBe('idempotency_mismatch')
    await importEnded(service.client, id, first.body.id)
    expect(await examplesOf(id)).toHaveLength(1)
  })

  test('by a key has labels that a key made', async () => {
    const id = await newDataset()
    const file = { name: 'x.jsonl', content: '{"q":"a","l":"pass"}', fields: table({ input: 'q', labels: { bot: 'l' } }) }
    const reply = await sendExamples(service, service.keyClient, id, file)
    await importEnded(service.client, id, ((await reply.json()) as { id: string }).id) // the record's shape is checked when it is read
    expect(await examplesOf(id)).toMatchObject([{ label: 'pass', label_by: 'key' }])
  })

  test('that is cancelled leaves nothing behind', async () => {
    const id = await newDataset()
    const content = lines(Array.from({ length: 8_000 }, (_, i) => ({ q: `Question ${i}` })))
    const reply = await sendExamples(service, service.client, id, { name: 'many.jsonl', content, fields: table({ input: 'q' }) })
    const { id: importId, job_id } = (await reply.json()) as { id: string; job_id: string } // checked by the calls below
    const read = () => service.client.call('getDatasetImport', { params: { dataset_id: id, import_id: importId } })
    while ((await read()).status === 'validating') await new Promise(resolve => setTimeout(resolve, 5))
    await service.client.call('cancelJob', { params: { job_id } })
    expect(await read()).toMatchObject({ status: 'failed', error: { code: 'cancelled' }, created: 0 })
    expect(await examplesOf(id)).toEqual([])
    expect((await service.client.call('getDataset', { params: { dataset_id: id } })).counts.total).toBe(0)
    const after = await importExamples(service, id, { name: 'one.jsonl', content: '{"q":"Question 1"}', fields: table({ input: 'q' }) })
    expect(after).toMatchObject({ created: 1, duplicates: 0 })
  })

  test('continues after a stop, and holds every row once', async () => {
    const id = await newDataset()
    const rows = 8_000
    const content = lines(Array.from({ length: rows }, (_, i) => ({ q: `Row ${i}` })))
    const reply = await sendExamples(service, service.client, id, { name: 'many.jsonl', content, fields: table({ input: 'q' }) })
    const { id: importId } = (await reply.json()) as { id: string } // checked by the calls below
    const read = () => service.client.call('getDatasetImport', { params: { dataset_id: id, import_id: importId } })
    while ((await read()).status === 'validating') await new Promise(resolve => setTimeout(resolve, 5))
    expect((await read()).status).toBe('writing')
    await service.restart()
    expect(await importEnded(service.client, id, importId)).toMatchObject({ status: 'imported', created: rows, duplicates: 0 })
    expect((await service.client.call('getDataset', { params: { dataset_id: id } })).counts.total).toBe(rows)
  })
})

describe('a scan', () => {
  test('finds near duplicates and secrets, and leaves a record on every example', async () => {
    const dataset_id = await newDataset()
    const long = 'The quick brown fox jumps over the lazy dog while the cat sleeps in the warm afternoon sun near the old stone wall'
    const examples = [
      { input: long },
      { input: `${long}.`, metadata: { copy: true } },
      { input: 'Something else entirely, about the price of bread in small towns' },
      { input: 'Use the key', output: 'sk-abcdefghijklmnopqrstuvwxyz123456' },
    ]
    const { items } = await service.client.call('addExamples', { params: { dataset_id }, body: { examples } })
    const ids = items.map(({ example_id }) => example_id)
    const started = await service.client.call('createDatasetScan', { params: { dataset_id }, body: {} })
    const ended = async () => {
      for (;;) {
        const scan = await service.client.call('getDatasetScan', { params: { dataset_id, scan_id: started.id } })
        if (scan.finished_at !== null) return scan
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    expect(await ended()).toMatchObject({
      status: 'succeeded',
      examples: 4,
      duplicates: 1,
      secrets: 1,
      findings: [
        { kind: 'secrets', example_id: ids[3], fields: ['output'] },
        { kind: 'duplicates', example_id: ids[1], of_example_id: ids[0], similarity: 1 },
      ],
    })
    const historyOf = (example_id = '') => service.client.call('getVerificationHistory', { params: { dataset_id, example_id } })
    const outcomes = async (id?: string) => (await historyOf(id)).current.map(({ kind, outcome }) => `${kind} ${outcome}`).sort()
    expect(await outcomes(ids[1])).toEqual(['duplicate_scan duplicate', 'secret_scan clean'])
    expect(await outcomes(ids[3])).toEqual(['duplicate_scan clean', 'secret_scan found'])
    expect(JSON.stringify(await historyOf(ids[3]))).not.toContain('sk-abc')
  })
})
