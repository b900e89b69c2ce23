import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Evidence, type EvidenceFormat } from '../../src/contract/releases/evidence.schemas.ts'
import { longestTurnCpuMs } from '../support/longest-turn.ts'
import { patience, slowness } from '../support/machine-speed.ts'
import { labeledVersion } from '../support/judging.ts'
import { startTestService, type TestService } from '../support/service.ts'

const shared = fileURLToPath(new URL('../../../shared/data/import', import.meta.url))

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const source = { tool: 'test' }
const table = (name: string, content: string, format: EvidenceFormat = 'csv') =>
  service.client.call('createEvidence', { body: { name, format, content, source } })
const analyze = (evidence_id: string, body: object = {}) => service.client.call('analyzeEvidence', { params: { evidence_id }, body })
async function upload(content: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: 'sent', format: 'csv', source: JSON.stringify(source), ...fields }))
    form.append(name, value)
  form.append('file', new Blob([content]), 'evidence')
  const reply = await service.fetch('/v1/releases/evidence', { method: 'POST', body: form, headers })
  const body: unknown = await reply.json()
  return { status: reply.status, body, replayed: reply.headers.get('idempotency-replayed') }
}

describe('evidence', () => {
  test('keeps bytes with their digest; the same bytes are the same evidence, in another format they are not', async () => {
    const { client } = service
    const first = await table('first', 'task_id,score\na,1\n')
    expect(first).toMatchObject({ status: 'received', bytes: 18, analyses: 0, by: { kind: 'person' } })
    expect(await table('again', 'task_id,score\na,1\n')).toEqual(first)
    const base64 = Buffer.from('task_id,score\na,1\n').toString('base64')
    expect(await client.call('createEvidence', { body: { name: 'x', format: 'csv', content_base64: base64, source } })).toEqual(first)
    expect((await upload(new TextEncoder().encode('task_id,score\na,1\n'))).body).toEqual(first)
    expect((await table('other', 'task_id,score\na,1\n', 'sarif')).id).not.toBe(first.id)
    expect(await client.call('getEvidence', { params: { evidence_id: first.id } })).toEqual(first)
  })

  test('as a statement has figures with the interval of their own standard error', async () => {
    const statement = { text: 'The red team found nothing.', figures: [{ metric: 'safe', value: 0.9, n: 40, standard_error: 0.05 }] }
    const evidence = await service.client.call('createEvidence', { body: { name: 'red team', format: 'manual', statement, source } })
    expect(evidence.statement).toEqual(statement)
    const analysis = await analyze(evidence.id)
    expect(analysis).toMatchObject({ n: 1, tasks: 0, metrics: [{ name: 'safe', estimate: { n: 40, mean: 0.9, standard_error: 0.05 } }] })
    expect(analysis.metrics[0]?.estimate.interval?.low).toBeCloseTo(0.802, 3)
  })

  test.each([
    [{ format: 'csv', content: 'a', content_base64: 'YQ==' }, /exactly one of/],
    [{ format: 'manual', content: 'a' }, /manual/],
    [{ format: 'csv', statement: { text: 'x' } }, /manual/],
    [{ format: 'csv', content: 'a', source: { tool: 'x', url: 'javascript:alert(1)' } }, /http/],
  ] as const)('is refused where it says two things at once or an address is none %#', async (body, message) => {
    // The contract's own types refuse some of these; a client without them does not.
    const request = { body: { name: 'x', source, ...body } } as never
    const refused = await service.client.refusal('createEvidence', request)
    expect({ status: refused.status, text: refused.message }).toMatchObject({ status: 422, text: expect.stringMatching(message) })
  })

  test('above 1 MiB comes as a form, whose Idempotency-Key takes no other file', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `task-${String(i).padStart(20, '0')},1`)
    const large = new TextEncoder().encode(`task_id,score\n${lines.join('\n')}\n`)
    expect(large.length).toBeGreaterThan(1024 * 1024)
    const json = { name: 'x', format: 'csv', content: new TextDecoder().decode(large), source } as const
    expect((await service.client.refusal('createEvidence', { body: json })).code).toBe('payload_too_large')
    const headers = { 'idempotency-key': 'large-1' }
    const first = await upload(large, {}, headers)
    expect(first).toMatchObject({ status: 201, replayed: null })
    expect(await upload(large, {}, headers)).toMatchObject({ status: 201, replayed: 'true', body: first.body })
    expect(await upload(large.slice(0, 100), {}, headers)).toMatchObject({ status: 422, body: { error: { code: 'idempotency_mismatch' } } })
    expect(await upload(large, { format: 'manual' })).toMatchObject({ status: 422 })
    expect(await upload(large, { extra: 'x' })).toMatchObject({ status: 422 })
  })

  test('belongs to its workspace, and needs a scope to be written', async () => {
    const { id } = await table('mine', 'task_id,score\nz,1\n')
    const other = await service.client.call('createWorkspace', { body: { name: 'other' } })
    const reply = await service.fetch(`/v1/releases/evidence/${id}`, { headers: { 'x-workspace-id': other.id } })
    expect(reply.status).toBe(404)
  })
})

describe('an analysis', () => {
  test('of a suite maps its tasks, names the others, and is numbered', async () => {
    const { client } = service
    const { latest_version } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
    const source_ref = latest_version?.source_ref ?? ''
    const { items } = await client.call('listTasks', { query: { source_ref, limit: 3 } })
    const [a = '', b = '', c = ''] = items.map(task => task.task_id)
    const task_selections = [{ source_ref, split: 'test' as const, task_ids: [a, b, c] }]
    const groups = [{ key: 'math', title: 'Math', weight: 1, selection: { task_selections } }]
    const suite = await client.call('createReleaseSuite', { body: { name: 's', groups } })
    const evidence = await table('mapped', `task_id,score\n${a},1\n${b},0\nstranger,1\n`)
    const body = { suite_version_id: suite.id, side: 'candidate' as const }
    expect(await analyze(evidence.id, body)).toMatchObject({
      n: 1,
      rows: 3,
      mapped: 2,
      unmapped_count: 1,
      unmapped: [{ task_id: 'stranger', line: 4 }],
      tasks: 2,
      side: 'candidate',
      metrics: [{ name: 'score', group: 'math', estimate: { n: 2, mean: 0.5 } }],
      per_task: [
        { task_id: a, source_ref, group: 'math', value: 1, class: 'pass' },
        { task_id: b, value: 0, class: 'fail' },
      ],
    })
    const second = await analyze(evidence.id)
    expect(second).toMatchObject({ n: 2, mapped: 3, suite_version_id: null })
    expect(await client.call('getEvidence', { params: { evidence_id: evidence.id } })).toMatchObject({ status: 'analyzed', analyses: 2 })
    const params = { evidence_id: evidence.id, n: '2' }
    expect(await client.call('getEvidenceAnalysis', { params })).toEqual(second)
    const unknown = { ...body, suite_version_id: evidence.id }
    expect((await client.refusal('analyzeEvidence', { params: { evidence_id: evidence.id }, body: unknown })).status).toBe(404)
    expect((await client.refusal('getEvidenceAnalysis', { params: { ...params, n: '3' } })).status).toBe(404)
  })

  test('is previewed without being stored, with the pairs that were matched', async () => {
    const { client } = service
    const questions = ['How many eggs are left?', 'How far does the train go, "at most"?']
    const labeled = questions.map(input => ({ input, output: '1', expected: '1', label: 'pass' }))
    const { datasetId: dataset_id, versionId: version_id } = await labeledVersion(service, { task: 'answer' }, labeled)
    const definition = { kind: 'deterministic' as const, scorer: 'assay/exact_match', options: {} }
    const { id: evaluator_version_id } = await client.call('createEvaluator', { body: { name: 'Exact', definition } })
    const made = { params: { dataset_id, version_id }, body: { name: 'Questions', evaluator_version_id } }
    const { source_ref } = await client.call('createDatasetBenchmark', made)
    const { items } = await client.call('listTasks', { query: { source_ref, limit: 2 } })
    const task_selections = [{ source_ref, split: 'test' as const, task_ids: items.map(task => task.task_id) }]
    const groups = [{ key: 'questions', title: 'Questions', weight: 1, selection: { task_selections } }]
    const suite = await client.call('createReleaseSuite', { body: { name: 'previewed', groups } })
    const question = questions[1] ?? ''
    const cell = `"${question.replaceAll('"', '""')}"`
    const evidence = await table('by question', `id,question,score,model\n1,${cell},1,other\n2,What has keys but no locks?,1,other\n`)
    const params = { evidence_id: evidence.id }
    const preview = await client.call('previewEvidence', { params, body: { suite_version_id: suite.id } })
    expect(preview).toMatchObject({
      rows: 2,
      mapped: 1,
      labels: ['other'],
      pairs: [{ by: 'text', file_text: question, task_text: question }],
      unmapped: [{ task_id: '2', reason: 'No task of the suite has this question.' }],
    })
    expect(await client.call('getEvidence', { params })).toMatchObject({ status: 'received', analyses: 0 })
    const stored = await analyze(evidence.id, { suite_version_id: suite.id })
    expect(stored).toMatchObject(preview)
  })

  test('of a file that cannot be read says on which line', async () => {
    const { id } = await table('broken', 'task_id,score\na,1\nb,perhaps\n')
    const refused = await service.client.refusal('analyzeEvidence', { params: { evidence_id: id }, body: {} })
    expect(refused).toMatchObject({ status: 422, code: 'validation_error', message: expect.stringMatching(/Line 3: .*"perhaps"/) })
  })

  test('of 100,000 tasks takes under 5 s off the service’s loop, and its tasks are paged', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `t${i},${i % 4 === 0 ? 0 : 1}`)
    const { body } = await upload(new TextEncoder().encode(`task_id,score\n${lines.join('\n')}\n`))
    const { id } = Evidence.parse(body)
    const started = performance.now()
    const turn = await longestTurnCpuMs(async () => {
      expect(await analyze(id)).toMatchObject({ tasks: 100_000, metrics: [{ estimate: { n: 100_000, mean: 0.75 } }] })
    })
    expect(performance.now() - started).toBeLessThan(5_000 * patience())
    // It takes 20 ms of the reference machine; the analysis as a whole takes 300.
    expect(turn).toBeLessThan(60 * slowness())
    const seen: string[] = []
    let cursor: string | undefined
    for (let i = 0; i < 12; i++) {
      const params = { evidence_id: id, n: '1' }
      const page = await service.client.call('listEvidenceTasks', {
        params,
        query: cursor === undefined ? { limit: 97 } : { limit: 97, cursor },
      })
      seen.push(...page.items.map(task => task.task_id))
      cursor = page.next_cursor ?? undefined
    }
    expect(seen).toEqual(Array.from({ length: 97 * 12 }, (_, i) => `t${i}`))
  })
})

describe.skipIf(!existsSync(shared))('the shared logs (skipped without ../shared)', () => {
  const files = (format: 'inspect' | 'lm_eval' | 'promptfoo') =>
    existsSync(shared)
      ? readdirSync(join(shared, format))
          .filter(name => /\.(?:eval|json)$/.test(name))
          .map(name => [format, name] as const)
      : []
  const send = async (format: EvidenceFormat, name: string) => {
    const content_base64 = readFileSync(join(shared, format, name)).toString('base64')
    return analyze((await service.client.call('createEvidence', { body: { name, format, content_base64, source } })).id)
  }

  test.each([...files('inspect'), ...files('lm_eval'), ...files('promptfoo')])('%s %s imports', async (format, name) => {
    const { metrics } = await send(format, name)
    expect(metrics.length).toBeGreaterThan(0)
    expect(metrics.every(({ estimate }) => estimate.mean !== null)).toBe(true)
  })

  test('say what their tools say', async () => {
    const popularity = files('inspect').find(([, name]) => name.includes('popularity'))?.[1] ?? ''
    expect((await send('inspect', popularity)).metrics).toMatchObject([{ name: 'match', estimate: { n: 10, mean: 0.8 } }])
    const promptfoo = await send('promptfoo', 'sample-export.v3.json')
    expect(promptfoo.metrics.map(({ label, estimate }) => [label, estimate.n, estimate.mean])).toEqual([
      ['openai:gpt-5-mini', 2, 0],
      ['openai:gpt-5', 2, 0],
    ])
    const { metrics } = await send('lm_eval', 'pythia-1.4b_zero-shot_step143000.json')
    expect(metrics.find(metric => metric.group === 'hendrycksTest-business_ethics' && metric.name === 'acc')?.estimate).toMatchObject({
      mean: 0.33,
      standard_error: 0.047_258_156_262_526_04,
    })
  })

  test('the cancelled one never satisfies coverage', async () => {
    const cancelled = await send('inspect', '2025-05-12T20-28-13-04-00_no-samples.json')
    expect(cancelled).toMatchObject({ tasks: 0, blocked: expect.stringMatching(/cancelled/) })
    expect((await send('inspect', 'log_formats.eval')).blocked).toBeNull()
  })
})
