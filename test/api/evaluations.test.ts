import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import type { Evaluation } from '../../src/contract/evaluations/evaluations.schemas.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { importFiles } from '../support/imports.ts'
import { quote, profileId, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

type NewEvaluation = NonNullable<Request<Api['createEvaluation']>['body']>

const oracle = { kind: 'managed', route_id: 'assay/oracle-75' } as const
let service: TestService
let arithmetic: string
let instructions: string

beforeAll(async () => {
  service = await startTestService()
  const refOf = async (slug: string) => (await service.client.call('getBenchmark', { params: { slug } })).latest_version?.source_ref ?? ''
  arithmetic = await refOf('arithmetic-word-problems')
  instructions = await refOf('instruction-following')
})
afterAll(() => service.close())

const selection = (source_ref: string, task_ids: readonly string[]) => ({ source_ref, split: 'test' as const, task_ids: [...task_ids] })
const body = (more: Partial<NewEvaluation>): NewEvaluation => ({ name: 'an evaluation', model: oracle, max_charge_microusd: '0', ...more })

async function finished({ id, run_id }: Evaluation): Promise<Evaluation> {
  await runToEnd(service.client, service.baseUrl, run_id)
  return service.client.call('getEvaluation', { params: { evaluation_id: id } })
}

describe('a quote of an evaluation', () => {
  test('tells what exactly these tasks take, and starts nothing', async () => {
    const { client } = service
    const { name: _, ...wanted } = body({ task_selections: [selection(arithmetic, ['awp-0005', 'awp-0001', 'awp-0200'])] })
    const found = await client.call('quoteEvaluation', { body: wanted })
    expect(found).toMatchObject({
      status: 'open',
      coverage: { mode: 'exact' },
      counts: { tasks: 3, model_calls: 3 },
      statistics: [{ n: 3 }],
    })
    const { items } = await client.call('getQuoteExamples', { params: { quote_id: found.id } })
    expect(items.map(({ task_id }) => task_id)).toEqual(['awp-0005'])
    expect((await client.call('listEvaluations', { query: {} })).items).toEqual([])
  })

  test('names a task that is not available, and a selection beside a suite', async () => {
    const missing = { model: oracle, max_charge_microusd: '0', task_selections: [selection(arithmetic, ['awp-none'])] }
    expect(await service.client.refusal('quoteEvaluation', { body: missing })).toMatchObject({ code: 'task_unavailable' })
    const both = { ...missing, suite_version_id: randomUUID() }
    expect(await service.client.refusal('quoteEvaluation', { body: both })).toMatchObject({ code: 'validation_error' })
  })
})

describe('an evaluation', () => {
  test('runs exactly the tasks named, over several benchmarks, in their order', async () => {
    const { client } = service
    const wanted = [selection(arithmetic, ['awp-0005', 'awp-0001', 'awp-0200']), selection(instructions, ['if-0007', 'if-0003'])]
    const begun = await client.call('createEvaluation', { body: body({ task_selections: wanted }) })
    expect(begun.sources.map(({ source_ref, tasks }) => [source_ref, tasks])).toEqual([
      [arithmetic, 3],
      [instructions, 2],
    ])
    const evaluation = await finished(begun)
    expect(evaluation).toMatchObject({ status: 'complete', suite_version_id: null, result_version: 1, progress: { frozen: 5, scored: 5 } })
    expect(evaluation.task_selections.map(({ source_ref, task_ids }) => ({ source_ref, task_ids }))).toEqual(
      wanted.map(({ source_ref, task_ids }) => ({ source_ref, task_ids })),
    )
    const { items } = await client.call('listSamples', { params: { run_id: evaluation.run_id }, query: { limit: 100 } })
    expect(items.map(sample => sample.task_id)).toEqual(['awp-0005', 'awp-0001', 'awp-0200', 'if-0007', 'if-0003'])
    const run = await client.call('getRun', { params: { run_id: evaluation.run_id } })
    expect(run.coverage).toMatchObject({ mode: 'exact', sample_count: null, seed: null, full_benchmark: false })
    const { items: runs } = await client.call('listRuns', { query: {} })
    expect(runs.map(listed => listed.id)).toContain(evaluation.run_id)
    const report = await service.fetch(`/v1/runs/${evaluation.run_id}/export?format=html`)
    expect(await report.text()).toContain('exactly the tasks that were selected')
  })

  test('of a suite runs its tasks with the requested profile', async () => {
    const { client } = service
    const suite = await client.call('createSuite', {
      body: { name: 'three', task_selections: [selection(arithmetic, ['awp-0001', 'awp-0002', 'awp-0003'])] },
    })
    const profile = await profileId(client, 'arithmetic-word-problems', '3-shot')
    const { id, sources, suite_version_id } = await client.call('createEvaluation', {
      body: body({ suite_version_id: suite.id, profile_ids: [profile] }),
    })
    expect({ suite_version_id, sources }).toEqual({
      suite_version_id: suite.id,
      sources: [{ source_ref: arithmetic, split: 'test', profile_id: profile, title: 'Arithmetic word problems · 3-shot', tasks: 3 }],
    })
    const { items } = await client.call('listEvaluations', { query: { suite_version_id: suite.id } })
    expect(items.map(item => item.id)).toEqual([id])
    const [first] = (await client.call('listPublicSuites', { query: {} })).items
    const publicOne = await client.call('createEvaluation', { body: body({ suite_version_id: first?.id ?? '' }) })
    expect(publicOne.progress.frozen).toBe(first?.tasks)
    expect((await finished(publicOne)).status).toBe('complete')
  })

  test('refuses what it cannot run exactly, by name, and samples nothing', async () => {
    const { client } = service
    const refused = (more: Partial<NewEvaluation>) => client.refusal('createEvaluation', { body: body(more) })
    const known = [selection(arithmetic, ['awp-0001'])]
    const before = await client.call('listRuns', { query: { limit: 100 } })
    const unknown = await refused({ task_selections: [selection(arithmetic, ['awp-0001', 'awp-9999'])] })
    expect(unknown).toMatchObject({ status: 422, code: 'task_unavailable' })
    expect(unknown.detail).toEqual([
      { loc: ['body', 'task_selections', 0, 'task_ids', 1], msg: expect.stringContaining('"awp-9999"'), type: 'unknown_task' },
    ])
    expect((await refused({ task_selections: known, coverage: { mode: 'full' } })).detail[0]).toMatchObject({
      loc: ['body', 'coverage'],
      type: 'mixed_selection',
    })
    expect((await refused({ task_selections: known, suite_version_id: randomUUID() })).detail[0]).toMatchObject({ type: 'mixed_selection' })
    expect((await refused({})).detail[0]).toMatchObject({ loc: ['body', 'task_selections'], type: 'missing' })
    expect(await refused({ suite_version_id: randomUUID() })).toMatchObject({ status: 404 })
    expect((await refused({ task_selections: known, profile_ids: ['gsm8k:answer-line'] })).detail[0]).toMatchObject({
      loc: ['body', 'profile_ids', 0],
      type: 'unknown_profile',
    })
    const both = await Promise.all(['zero-shot', '3-shot'].map(key => profileId(client, 'arithmetic-word-problems', key)))
    expect(await refused({ task_selections: known, profile_ids: both })).toMatchObject({
      code: 'task_unavailable',
      message: expect.stringContaining('two profiles'),
    })
    expect(await refused({ task_selections: known, model: { kind: 'managed', route_id: 'no/such-route' } })).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
    const after = await client.call('listRuns', { query: { limit: 100 } })
    expect(after.items.map(run => run.id)).toEqual(before.items.map(run => run.id))
  })

  test('refuses a dependency left out, a split that is another, and a model that has not been checked, each by name', async () => {
    const { client } = service
    const lines = ['a', 'b'].map(id => JSON.stringify({ id, input: `Question ${id}, which is long enough`, target: '1' }))
    const mapping = JSON.stringify({ id: 'id', input: 'input', target: 'target' })
    const record = await importFiles(service, { format: 'jsonl', name: 'steps', mapping }, [
      { name: 'steps.jsonl', content: lines.join('\n') },
    ])
    const ref = record.source_ref ?? ''
    const db = openDatabase(`${service.dataDir}/assay.db`)
    db.prepare(
      `update tasks set depends_on = '["a"]' where task_id = 'b' and version_no = (select no from benchmark_versions where source_ref = ?)`,
    ).run(ref)
    db.close()
    const alone = await client.refusal('createEvaluation', { body: body({ task_selections: [selection(ref, ['b'])] }) })
    expect(alone).toMatchObject({ status: 422, code: 'task_unavailable' })
    expect(alone.detail).toEqual([
      {
        loc: ['body', 'task_selections', 0, 'task_ids', 0],
        msg: `the task "b" of ${ref} depends on "a", which is not selected`,
        type: 'missing_dependency',
      },
    ])
    const elsewhere = await client.refusal('createEvaluation', {
      body: body({ task_selections: [{ ...selection(arithmetic, ['awp-0001']), split: 'canonical' }] }),
    })
    expect(elsewhere.detail.map(({ msg, type }) => [msg, type])).toEqual([
      [`the task "awp-0001" of ${arithmetic} is in the split test, not in canonical`, 'wrong_split'],
    ])
    const unchecked = await client.call('createConnection', {
      body: { name: 'Unchecked', base_url: 'http://127.0.0.1:65000/v1', model: 'none' },
    })
    const unfit = await client.refusal('createEvaluation', {
      body: body({ task_selections: [selection(arithmetic, ['awp-0001'])], model: { kind: 'connection', connection_id: unchecked.id } }),
    })
    expect(unfit).toMatchObject({ status: 409, code: 'quote_incompatible' })
    expect(unfit.message).toContain('Unchecked')
  })

  test('of a suite is refused where a source holds other tasks than when the suite was made', async () => {
    const { client } = service
    const suite = await client.call('createSuite', { body: { name: 'kept', task_selections: [selection(instructions, ['if-0001'])] } })
    const db = openDatabase(`${service.dataDir}/assay.db`)
    const change = db.prepare('update benchmark_versions set digest = ? where source_ref = ?')
    const digest = suite.task_selections[0]?.version_digest ?? ''
    change.run('f'.repeat(64), instructions)
    const refused = await client.refusal('createEvaluation', { body: body({ suite_version_id: suite.id }) })
    change.run(digest, instructions)
    db.close()
    expect(refused).toMatchObject({ status: 422, code: 'task_unavailable' })
    expect(refused.detail.map(({ msg, type }) => [msg, type])).toEqual([
      [`${instructions} has changed since the suite was created`, 'source_changed'],
    ])
  })

  test('is the same one when its submission is sent again', async () => {
    const { client } = service
    const request = {
      body: body({ task_selections: [selection(arithmetic, ['awp-0001'])] }),
      headers: { 'idempotency-key': 'evaluate-once' },
    }
    const [first, second] = await Promise.all([client.call('createEvaluation', request), client.call('createEvaluation', request)])
    expect(second.id).toBe(first.id)
    await service.restart()
    expect((await service.client.call('createEvaluation', request)).id).toBe(first.id)
    const other = { ...request, body: { ...request.body, name: 'another' } }
    expect(await service.client.refusal('createEvaluation', other)).toMatchObject({ status: 422, code: 'idempotency_mismatch' })
  })

  test('is cancelled like its run', async () => {
    const { client, baseUrl } = service
    const all = (await client.call('listTasks', { query: { source_ref: arithmetic, limit: 1000 } })).items.map(task => task.task_id)
    const begun = await client.call('createEvaluation', {
      body: body({ name: 'a long one', task_selections: [selection(arithmetic, all)], execution: { epochs: 20 } }),
    })
    const cancelling = await client.call('cancelEvaluation', { params: { evaluation_id: begun.id } })
    expect(['cancelling', 'cancelled']).toContain(cancelling.status)
    await runToEnd(client, baseUrl, begun.run_id)
    const { status } = await client.call('getEvaluation', { params: { evaluation_id: begun.id } })
    expect(status).toBe('cancelled')
    expect(await client.refusal('cancelEvaluation', { params: { evaluation_id: begun.id } })).toMatchObject({
      status: 409,
      code: 'illegal_transition',
    })
    const { items } = await client.call('listEvaluations', { query: { status: 'cancelled', q: 'LONG' } })
    expect(items.map(item => item.id)).toEqual([begun.id])
  })

  test('is listed newest first and can be compared with a run', async () => {
    const { client, baseUrl } = service
    const tasks = (await client.call('listTasks', { query: { source_ref: arithmetic, limit: 40 } })).items.map(task => task.task_id)
    const evaluation = await finished(
      await client.call('createEvaluation', { body: body({ name: 'forty', task_selections: [selection(arithmetic, tasks)] }) }),
    )
    const { id: quoteId } = await quote(client, {
      model: { kind: 'managed', route_id: 'assay/oracle-50' },
      profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoteId, 'whole')).id)
    const comparison = await client.call('createComparison', {
      body: { name: 'mixed', run_ids: [run.id, evaluation.id], baseline_id: run.id },
    })
    expect(comparison.runs.map(({ kind, id, run_id }) => ({ kind, id, run_id }))).toEqual([
      { kind: 'run', id: run.id, run_id: run.id },
      { kind: 'evaluation', id: evaluation.id, run_id: evaluation.run_id },
    ])
    expect(comparison.differences.find(difference => difference.headline)?.n).toBe(40)
    const twice = await client.refusal('createComparison', {
      body: { name: 'x', run_ids: [evaluation.run_id, evaluation.id], baseline_id: evaluation.id },
    })
    expect(twice.detail[0]).toMatchObject({ loc: ['body', 'run_ids', 1] })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.call('listEvaluations', { query: { limit: 2, ...(cursor ? { cursor } : {}) } })
      seen.push(...page.items.map(item => item.id))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
    expect(seen[0]).toBe(evaluation.id)
    const statuses = (await client.call('listEvaluations', { query: { limit: 100 } })).items.map(item => item.status)
    expect(statuses.every(status => isTerminal(runMachine, status))).toBe(true)
  })
})
