import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { buildRequest } from '../../src/contract/client-by-id.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function newDataset(more: Partial<Parameters<typeof create>[0]> = {}) {
  return create({ name: 'Support answers', task: 'answer', ...more })
}
const create = (body: {
  name: string
  task: 'answer' | 'classify' | 'pairwise' | 'score'
  labels?: string[]
  score_range?: [number, number]
}) => service.client.call('createDataset', { body })

const add = (dataset_id: string, examples: { input: string; output?: string | { a: string; b: string }; label?: string | number }[]) =>
  service.client.call('addExamples', { params: { dataset_id }, body: { examples } })

async function one(dataset_id: string, input = 'What is 2 + 2?') {
  const { items } = await add(dataset_id, [{ input, output: '4' }])
  return { dataset_id, example_id: items[0]?.example_id ?? '' }
}

describe('datasets', () => {
  test('are created, listed by words, renamed, archived and restored', async () => {
    const made = await newDataset({ name: 'Refund policy questions' })
    expect(made).toMatchObject({ task: 'answer', labels: ['pass', 'fail'], score_range: null, archived: false, agreement: null })
    expect(made.counts).toEqual({ total: 0, draft: 0, in_review: 0, approved: 0, rejected: 0 })
    const params = { dataset_id: made.id }
    await service.client.call('updateDataset', { params, body: { name: 'Refunds', archived: true } })
    const listed = (archived: boolean) => service.client.call('listDatasets', { query: { q: 'refunds', archived } })
    expect((await listed(false)).items).toEqual([])
    expect((await listed(true)).items.map(({ id }) => id)).toEqual([made.id])
    const refused = await service.client.refusal('addExamples', { params, body: { examples: [{ input: 'x' }] } })
    expect(refused.code).toBe('illegal_transition')
    expect((await service.client.call('updateDataset', { params, body: { archived: false } })).archived).toBe(false)
  })

  test('need labels for classification and a range for scores, and refuse them elsewhere', async () => {
    for (const body of [
      { name: 'x', task: 'classify' },
      { name: 'x', task: 'score' },
      { name: 'x', task: 'answer', labels: ['a', 'b'] },
      { name: 'x', task: 'score', score_range: [5, 1] },
      { name: 'x', task: 'classify', labels: ['a', 'a'] },
    ] as const) {
      // The bodies are wrong on purpose.
      const refused = await service.client.refusal('createDataset', { body: body as never })
      expect({ body, code: refused.code }).toEqual({ body, code: 'validation_error' })
    }
  })
})

describe('examples', () => {
  test('with equal input, output, expected and metadata are duplicates in any key order', async () => {
    const { id } = await newDataset()
    const example = { input: { question: 'Why?', context: 'Because' }, output: 'So', metadata: { a: 1, b: 2 } }
    const again = { output: 'So', metadata: { b: 2, a: 1 }, input: { context: 'Because', question: 'Why?' } }
    const params = { dataset_id: id }
    const first = await service.client.call('addExamples', { params, body: { examples: [example, again] } })
    expect(first.created).toBe(1)
    expect(first.duplicates).toEqual([{ index: 1, example_id: first.items[0]?.example_id }])
    const other = await service.client.call('addExamples', { params, body: { examples: [again, { ...example, metadata: { a: 2 } }] } })
    expect(other).toMatchObject({ created: 1, duplicates: [{ index: 0, example_id: first.items[0]?.example_id }] })
  })

  test('that come by the thousand are written some at a time, so that others are answered meanwhile', async () => {
    const { id: dataset_id } = await newDataset()
    const examples = Array.from({ length: 1000 }, (_, i) => ({ input: `question ${i}`, output: `answer ${i % 999}` }))
    const total = async () => (await service.client.call('getDataset', { params: { dataset_id } })).counts.total
    const seen: number[] = []
    const adding = add(dataset_id, [...examples, { input: 'question 3', output: 'answer 3' }].slice(1))
    while ((seen.at(-1) ?? 0) < 1000 - 1) seen.push(await total())
    const { created, duplicates, items } = await adding
    expect(seen.some(n => n > 0 && n < 999)).toBe(true)
    expect({ created, duplicates: duplicates.map(({ index }) => index) }).toEqual({ created: 999, duplicates: [999] })
    expect(items.map(({ index }) => index)).toEqual(Array.from({ length: 999 }, (_, i) => i))
  })

  test('are added all or none: each that does not fit is named', async () => {
    const { id } = await newDataset({ task: 'pairwise' })
    const body = {
      examples: [
        { input: 'x', output: { a: '1', b: '2' } },
        { input: 'y', output: 'one' },
        { input: 'z', output: { a: '', b: '' }, label: 'c' },
      ],
    }
    const refused = await service.client.refusal('addExamples', { params: { dataset_id: id }, body })
    expect(refused.detail.map(({ loc }) => loc)).toEqual([
      ['body', 'examples', 1, 'output'],
      ['body', 'examples', 2, 'label'],
    ])
    expect((await service.client.call('getDataset', { params: { dataset_id: id } })).counts.total).toBe(0)
  })

  test('keep an empty output apart from no output', async () => {
    const { id } = await newDataset()
    const params = { dataset_id: id }
    const added = await service.client.call('addExamples', { params, body: { examples: [{ input: 'x', output: '' }, { input: 'x' }] } })
    expect(added.created).toBe(2)
    const { items } = await service.client.call('listExamples', { params })
    expect(items.map(({ output }) => output)).toEqual(['', null])
  })

  test('are found by words of every part, and by state, label and origin', async () => {
    const { id } = await newDataset()
    const params = { dataset_id: id }
    const examples = [
      { input: [{ role: 'user', content: 'Where is the Zürich office?' }], label: 'pass' },
      { input: 'Price of a ticket', expected: ['12 francs', 'twelve'], metadata: { source: 'timetable' } },
      { input: 'Anything', output: 'zurichs lake' },
    ]
    await service.client.call('addExamples', { params, body: { examples } })
    const found = async (query: object) => {
      const { items } = await service.client.call('listExamples', { params, query })
      return items.map(({ input }) => (typeof input === 'string' ? input : 'chat'))
    }
    expect(await found({ q: 'zürich' })).toEqual(['chat', 'Anything'])
    expect(await found({ q: 'twelve timet' })).toEqual(['Price of a ticket'])
    expect(await found({ q: 'timet twelve' })).toEqual(['Price of a ticket'])
    expect(await found({ q: '"timet" twelve' })).toEqual([])
    expect(await found({ q: '"; drop table -- OR *' })).toEqual([])
    expect(await found({ q: '"price of a ticket"' })).toEqual(['Price of a ticket'])
    expect(await found({ q: '"ticket price"' })).toEqual([])
    expect(await found({ q: 'zürich -office' })).toEqual(['Anything'])
    expect(await found({ q: '-zürich -zurichs' })).toEqual(['Price of a ticket'])
    expect(await found({ q: '-anything' })).toEqual(['chat', 'Price of a ticket'])
    expect(await found({ q: '"office pass"' })).toEqual([])
    expect(await found({ label: 'pass' })).toEqual(['chat'])
    expect(await found({ label_state: 'none', sort: '-added' })).toEqual(['Anything', 'Price of a ticket'])
    expect(await found({ review_state: 'approved' })).toEqual([])
    expect(await found({ origin: 'manual', q: 'price' })).toEqual(['Price of a ticket'])
  })

  test('are found by exact text, case and symbols included, and by words of scripts without spaces', async () => {
    const { id } = await newDataset()
    const params = { dataset_id: id }
    const long = `${'filler '.repeat(4_000)}the very last clause`
    const examples = [
      { input: { question: 'Costs "12,5 €"\tor more?' }, metadata: { row: 407 } },
      { input: 'Where is 北京市?', output: long },
      { input: 'costs nothing\\' },
    ]
    await service.client.call('addExamples', { params, body: { examples } })
    const found = async (query: object) =>
      (await service.client.call('listExamples', { params, query })).items.map(({ id: one }) => all.indexOf(one))
    const all = (await service.client.call('listExamples', { params })).items.map(one => one.id)
    const exact = (q: string) => found({ q, match: 'exact' })
    expect(await exact('Costs "12,5 €"\tor')).toEqual([0])
    expect(await exact('osts')).toEqual([0, 2])
    expect(await exact('07')).toEqual([0])
    expect(await exact('\\')).toEqual([2])
    expect(await exact('very last clause')).toEqual([1])
    // The names of fields are not searched.
    expect(await exact('question')).toEqual([])
    expect(await exact('%')).toEqual([])
    expect(await found({ q: '京' })).toEqual([1])
    expect(await found({ q: '"nothing filler"' })).toEqual([])
    expect(await found({ q: '€' })).toEqual([0])
  })

  test('are revised from the current revision alone; labels and records stay with the old one', async () => {
    const dataset = await newDataset()
    const params = await one(dataset.id)
    await service.client.call('labelExample', { params, body: { revision: 1, value: 'pass' } })
    await service.client.call('reviewExample', { params, body: { revision: 1, decision: 'approve', note: 'checked' } })
    const revised = await service.client.call('reviseExample', { params, body: { base_revision: 1, output: 'four' } })
    expect(revised).toMatchObject({ revision: 2, current_revision: 2, output: 'four', review_state: 'draft', label: null, labels: [] })
    const stale = await service.client.refusal('reviseExample', { params, body: { base_revision: 1, output: 'five' } })
    expect(stale).toMatchObject({ code: 'conflict' })
    expect(stale.message).toContain('which is 2')
    const unchanged = await service.client.refusal('reviseExample', { params, body: { base_revision: 2, output: 'four' } })
    expect(unchanged.code).toBe('validation_error')
    const before = await service.client.call('getExample', { params, query: { revision: 1 } })
    expect(before).toMatchObject({ revision: 1, current_revision: 2, output: '4', review_state: 'approved', label: 'pass' })
    const history = await service.client.call('getVerificationHistory', { params })
    expect(history.current).toEqual([])
    expect(history.archived).toMatchObject([{ kind: 'human_review', revision: 1, outcome: 'approved', detail: { note: 'checked' } }])
    const { items } = await service.client.call('listExamples', { params, query: { q: 'four' } })
    expect(items).toHaveLength(1)
    expect((await service.client.call('listExamples', { params, query: { q: '4' } })).items).toEqual([])
  })

  test('are approved by people, never by keys, and go back to review', async () => {
    const dataset = await newDataset()
    const params = await one(dataset.id)
    const approve = { params, body: { revision: 1, decision: 'approve' as const } }
    expect((await service.keyClient.refusal('reviewExample', approve)).code).toBe('human_approval_required')
    expect((await service.keyClient.call('reviewExample', { params, body: { revision: 1, decision: 'submit' } })).review_state).toBe(
      'in_review',
    )
    expect((await service.client.call('reviewExample', approve)).review_state).toBe('approved')
    expect((await service.client.refusal('reviewExample', approve)).code).toBe('illegal_transition')
    const back = await service.client.call('reviewExample', { params, body: { revision: 1, decision: 'submit' } })
    expect(back.review_state).toBe('in_review')
    const { counts } = await service.client.call('getDataset', { params })
    expect(counts).toEqual({ total: 1, draft: 0, in_review: 1, approved: 0, rejected: 0 })
    const again = await service.client.call('reviewExample', { params, body: { revision: 1, decision: 'reopen' } })
    expect(again).toMatchObject({ review_state: 'draft', revision: 1 })
  })
})

describe('many reviews at once', () => {
  test('store what is possible and name what is refused; only people approve', async () => {
    const { id: dataset_id } = await newDataset({ name: 'Many' })
    const { items } = await add(
      dataset_id,
      Array.from({ length: 120 }, (_, i) => ({ input: `Question ${i}`, output: 'x' })),
    )
    const first = { params: { dataset_id, example_id: items[0]?.example_id ?? '' }, body: { revision: 1, decision: 'reject' } } as const
    await service.client.call('reviewExample', first)
    const unknown = '00000000-0000-7000-8000-000000000000'
    const examples = [...items.map(({ example_id }) => ({ example_id, revision: 1 })), { example_id: unknown, revision: 1 }]
    examples[1] = { example_id: items[1]?.example_id ?? '', revision: 2 }
    const body = { examples, decision: 'approve', note: 'all read' } as const
    const call = { params: { dataset_id }, body }
    expect((await service.keyClient.refusal('reviewExamples', call)).code).toBe('human_approval_required')
    const { reviewed, refused } = await service.client.call('reviewExamples', call)
    expect(reviewed).toBe(118)
    expect(refused.map(({ example_id, code }) => [example_id, code])).toEqual([
      [items[0]?.example_id, 'illegal_transition'],
      [items[1]?.example_id, 'conflict'],
      [unknown, 'not_found'],
    ])
    expect((await service.client.call('getDataset', { params: { dataset_id } })).counts).toMatchObject({
      approved: 118,
      draft: 1,
      rejected: 1,
    })
    const history = await service.client.call('getVerificationHistory', {
      params: { dataset_id, example_id: items[5]?.example_id ?? '' },
    })
    expect(history.current).toMatchObject([{ kind: 'human_review', outcome: 'approved', detail: { note: 'all read' } }])
  })

  test('reach everything that a filter matches, once it matches what was looked at; ties are left to a person', async () => {
    const { client } = service
    const { id: dataset_id } = await newDataset({ name: 'By filter', task: 'classify', labels: ['kind', 'rude'] })
    const { items } = await add(
      dataset_id,
      Array.from({ length: 130 }, (_, i) => ({ input: `${i < 120 ? 'Billing' : 'Shipping'} question ${i}`, output: 'x' })),
    )
    for (const [annotator, value] of [
      ['ann', 'kind'],
      ['bob', 'rude'],
    ] as const)
      await client.call('labelExample', {
        params: { dataset_id, example_id: items[7]?.example_id ?? '' },
        body: { revision: 1, annotator, value },
      })
    const params = { dataset_id }
    const filter = { q: 'bill' }
    const approve = (more: object) => ({ params, body: { filter, decision: 'approve' as const, ...more } })
    const counted = await client.call('reviewExamples', approve({ dry_run: true }))
    expect(counted).toEqual({ matched: 120, reviewed: 119, ties: 1, refused: [] })
    expect((await client.call('getDataset', { params })).counts).toMatchObject({ draft: 130 })
    expect(await client.refusal('reviewExamples', approve({ expected: 119 }))).toMatchObject({ code: 'conflict' })
    expect(await client.refusal('reviewExamples', approve({}))).toMatchObject({ code: 'validation_error' })
    expect((await service.keyClient.refusal('reviewExamples', approve({ expected: 120 }))).code).toBe('human_approval_required')
    expect(await client.call('reviewExamples', approve({ expected: 120 }))).toMatchObject({ matched: 120, reviewed: 119, ties: 1 })
    expect((await client.call('getDataset', { params })).counts).toMatchObject({ approved: 119, draft: 11 })
  })
})

test('a review that its caller gives up ends early and keeps what it stored', async () => {
  const { client } = service
  const { id: dataset_id } = await newDataset({ name: 'Given up' })
  const count = 3000
  for (let from = 0; from < count; from += 1000)
    await add(
      dataset_id,
      Array.from({ length: 1000 }, (_, i) => ({ input: `Question ${from + i}`, output: 'x' })),
    )
  const params = { dataset_id }
  const approved = async () => (await client.call('getDataset', { params })).counts.approved
  const caller = new AbortController()
  const body = { filter: {}, decision: 'approve' as const, expected: count }
  const { method, url, headers, body: sent } = buildRequest('reviewExamples', { params, body })
  const given = fetch(service.baseUrl + url, {
    method,
    headers: { ...client.headers, ...headers },
    body: sent ?? null,
    signal: caller.signal,
  })
  await expect.poll(approved, { interval: 1 }).toBeGreaterThan(0)
  caller.abort()
  await expect(given).rejects.toThrow('aborted')
  await expect.poll(async () => (await approved()) === (await approved())).toBe(true)
  expect(await approved()).toBeLessThan(count)
  // Whoever goes on has the rest.
  await client.call('reviewExamples', { params, body })
  expect(await approved()).toBe(count)
})

describe('labels', () => {
  test('make a consensus of the most frequent; a tie has none', async () => {
    const dataset = await create({ name: 'Tone', task: 'classify', labels: ['kind', 'rude', 'neutral'] })
    const params = await one(dataset.id)
    const label = (annotator: string, value: string | null) =>
      service.client.call('labelExample', { params, body: { revision: 1, annotator, value } })
    expect(await label('ann', 'kind')).toMatchObject({ label: 'kind', label_state: 'unanimous' })
    expect(await label('bob', 'rude')).toMatchObject({ label: null, label_state: 'tie' })
    expect(await label('cy', 'rude')).toMatchObject({ label: 'rude', label_state: 'majority' })
    expect(await label('ann', 'rude')).toMatchObject({ label: 'rude', label_state: 'unanimous' })
    expect((await label('ann', null)).labels.map(({ annotator }) => annotator)).toEqual(['bob', 'cy'])
    const refused = await service.client.refusal('labelExample', { params, body: { revision: 1, value: 'angry' } })
    expect(refused.detail).toMatchObject([{ loc: ['body', 'value'] }])
    const { label_coverage } = await service.client.call('getDataset', { params })
    expect(label_coverage).toMatchObject({ labeled: 1, tied: 0, unlabeled: 0 })
    expect(label_coverage.values).toContainEqual({ value: 'rude', examples: 1 })
  })

  test('of keys are marked and count only where no person labeled', async () => {
    const dataset = await newDataset()
    const params = await one(dataset.id)
    const byKey = await service.keyClient.call('labelExample', { params, body: { revision: 1, value: 'fail' } })
    expect(byKey).toMatchObject({ label: 'fail', label_by: 'key', labels: [{ by: 'key' }] })
    const byPerson = await service.client.call('labelExample', { params, body: { revision: 1, value: 'pass' } })
    expect(byPerson).toMatchObject({ label: 'pass', label_by: 'person', label_state: 'unanimous' })
    expect(byPerson.labels).toHaveLength(2)
  })

  test('of scores have their median, and stay within the range', async () => {
    const dataset = await create({ name: 'Quality', task: 'score', score_range: [1, 5] })
    const params = await one(dataset.id)
    for (const [annotator, value] of [
      ['a', 1],
      ['b', 4],
      ['c', 5],
    ] as const)
      await service.client.call('labelExample', { params, body: { revision: 1, annotator, value } })
    expect(await service.client.call('getExample', { params })).toMatchObject({ label: 4, label_state: 'majority' })
    expect((await service.client.refusal('labelExample', { params, body: { revision: 1, value: 5.5 } })).code).toBe('validation_error')
    expect((await service.client.call('listExamples', { params, query: { label: '4' } })).items).toHaveLength(1)
  })
})

describe('versions', () => {
  test('keep how far annotators agreed when they were frozen', async () => {
    const dataset = await newDataset()
    const params = { dataset_id: dataset.id }
    const agreed = await one(dataset.id, 'agreed')
    const tied = await one(dataset.id, 'tied')
    const label = (example: typeof agreed, annotator: string, value: string) =>
      service.client.call('labelExample', { params: example, body: { revision: 1, annotator, value } })
    for (const annotator of ['ann', 'bob']) await label(agreed, annotator, 'pass')
    await label(tied, 'ann', 'pass')
    await label(tied, 'bob', 'fail')
    await service.client.call('reviewExample', { params: agreed, body: { revision: 1, decision: 'approve' } })
    const { id, annotators } = await service.client.call('createDatasetVersion', { params, body: {} })
    expect(annotators).toEqual({ alpha: expect.closeTo(0), tied: 1 })
    const ofPassed = await service.client.call('createDatasetVersion', { params, body: { filter: { label: 'pass' } } })
    expect(ofPassed.annotators).toEqual({ alpha: expect.closeTo(0), tied: 0 })
    await service.client.call('reviewExample', { params: tied, body: { revision: 1, decision: 'reject' } })
    expect((await service.client.call('createDatasetVersion', { params, body: {} })).annotators?.tied).toBe(0)
    await label(tied, 'bob', 'pass')
    const later = await service.client.call('getDataset', { params })
    expect(later.label_coverage.tied).toBe(0)
    expect(await service.client.call('getDatasetVersion', { params: { ...params, version_id: id } })).toMatchObject({ annotators })
  })

  test('freeze approved revisions; nothing approved is a conflict', async () => {
    const dataset = await newDataset()
    const params = { dataset_id: dataset.id }
    const first = await one(dataset.id, 'one')
    const second = await one(dataset.id, 'two')
    expect((await service.client.refusal('createDatasetVersion', { params, body: {} })).code).toBe('conflict')
    await service.client.call('labelExample', { params: first, body: { revision: 1, value: 'pass' } })
    await service.client.call('reviewExample', { params: first, body: { revision: 1, decision: 'approve' } })
    const version = await service.client.call('createDatasetVersion', { params, body: { name: 'First' } })
    expect(version).toMatchObject({ version: 1, name: 'First', example_count: 1, labeled_count: 1, labeled_by_people_count: 1 })
    await service.client.call('reviseExample', { params: first, body: { base_revision: 1, output: 'changed' } })
    await service.client.call('reviewExample', { params: first, body: { revision: 2, decision: 'approve' } })
    await service.client.call('reviewExample', { params: second, body: { revision: 1, decision: 'approve' } })
    const next = await service.client.call('createDatasetVersion', { params, body: {} })
    const diff = await service.client.call('diffDatasetVersions', {
      params: { ...params, version_id: next.id },
      query: { against: version.id, limit: 1 },
    })
    expect(diff.counts).toEqual({ added: 1, removed: 0, revised: 1, relabeled: 0, unchanged: 0 })
    expect(diff.items).toMatchObject([
      { change: 'revised', before: { output: '4', label: 'pass' }, after: { output: 'changed', label: null } },
    ])
    const rest = await service.client.call('diffDatasetVersions', {
      params: { ...params, version_id: next.id },
      query: { against: version.id, limit: 1, cursor: diff.next_cursor ?? '' },
    })
    expect(rest.items).toMatchObject([{ change: 'added', before: null, example_id: second.example_id }])
    expect(rest.next_cursor).toBeNull()
    const lines = await (await service.fetch(`/v1/datasets/${dataset.id}/versions/${version.id}/export?format=jsonl`)).text()
    expect(
      lines
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([{ input: 'one', output: '4', revision: 1, label: 'pass' }])
    const same = await service.client.call('createDatasetVersion', { params, body: {} })
    expect(same.digest).toBe(next.digest)
    expect(same.digest).not.toBe(version.digest)
  })
})

describe('samples of a run', () => {
  test('become examples with their answer, reference and score, once', async () => {
    const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
    const coverage = { mode: 'sample', sample_count: 6, seed: 3 } as const
    const { id: quoteId } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-50' },
      profiles: [profile],
      coverage,
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoteId)).id)
    const dataset = await newDataset({ name: 'From a run' })
    const params = { dataset_id: dataset.id }
    const samples = await service.client.call('listSamples', { params: { run_id: run.id }, query: { passed: 'false' } })
    const { key } = await service.client.call('createApiKey', { body: { name: 'data', scopes: ['datasets:read', 'datasets:write'] } })
    const blind = clientFor(service.baseUrl, key, service.workspaceId)
    expect((await blind.refusal('addExamplesFromRun', { params, body: { run_id: run.id } })).message).toContain('runs:read')
    expect((await blind.refusal('addTraceSource', { params, body: { trace_ids: [crypto.randomUUID()] } })).message).toContain('traces:read')
    const wrong = await service.client.call('addExamplesFromRun', { params, body: { run_id: run.id, filter: { passed: false } } })
    expect(wrong).toEqual({ created: samples.items.length, duplicates: 0, skipped: [] })
    const all = await service.client.call('addExamplesFromRun', { params, body: { run_id: run.id, limit: 4 } })
    expect(all.created + all.duplicates).toBe(4)
    const { items } = await service.client.call('listExamples', { params, query: { origin: 'run' } })
    const first = await service.client.call('getSample', { params: { run_id: run.id, sample_id: samples.items[0]?.id ?? '' } })
    expect(items[0]).toMatchObject({
      input: first.messages[0]?.content,
      output: first.output,
      expected: first.targets[0],
      metadata: { task_id: first.task_id, passed: false },
      origin: { kind: 'run', ref: { run_id: run.id, result_version: 1, sample_id: first.id } },
    })
    const chosen = (await newDataset({ name: 'Chosen' })).id
    const sample_ids = [samples.items[1]?.id ?? '', samples.items[0]?.id ?? '', chosen]
    expect(
      await service.client.call('addExamplesFromRun', { params: { dataset_id: chosen }, body: { run_id: run.id, sample_ids } }),
    ).toEqual({ created: 2, duplicates: 0, skipped: [{ sample_id: chosen, reason: expect.stringContaining('sample') }] })
    const added = await service.client.call('listExamples', { params: { dataset_id: chosen } })
    expect(added.items.map(({ origin }) => origin.ref?.['sample_id'])).toEqual(sample_ids.slice(0, 2))
    const pairs = await create({ name: 'Pairs', task: 'pairwise' })
    const refused = await service.client.refusal('addExamplesFromRun', { params: { dataset_id: pairs.id }, body: { run_id: run.id } })
    expect(refused).toMatchObject({ code: 'validation_error', message: expect.stringContaining('against_run_id') })
    const single = { run_id: run.id, against_run_id: run.id }
    expect((await service.client.refusal('addExamplesFromRun', { params, body: single })).message).toContain('only for pairwise datasets')
  })
})

describe('an export', () => {
  test('neutralizes formulas in CSV and keeps JSON as it is', async () => {
    const dataset = await newDataset()
    const { dataset_id, example_id } = await one(dataset.id, '=HYPERLINK("http://x")')
    await service.client.call('reviewExample', { params: { dataset_id, example_id }, body: { revision: 1, decision: 'approve' } })
    const { id } = await service.client.call('createDatasetVersion', { params: { dataset_id }, body: {} })
    const exported = async (format: string) =>
      (await service.fetch(`/v1/datasets/${dataset_id}/versions/${id}/export?format=${format}`)).text()
    expect(await exported('csv')).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(JSON.parse(await exported('json'))).toMatchObject([{ example_id, input: '=HYPERLINK("http://x")' }])
  })
})
