import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatPercent } from '../../src/lib/format/percent.ts'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import type { Recommendation } from '../../src/contract/recommendations/recommendations.schemas.ts'
import type { Results } from '../../src/contract/runs/results.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { startModelServer } from '../journeys/model-server/server.ts'
import { importFiles } from '../support/imports.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'

type Wish = NonNullable<Request<Api['recommendTasks']>['body']>

let service: TestService
const recommend = (body: Partial<Wish> & Pick<Wish, 'objective'>): Promise<Recommendation> =>
  service.client.call('recommendTasks', { body: { task_limit: 10, ...body } })
const slugs = ({ sources }: Recommendation) => sources.map(source => source.slug)

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

describe('recommendations', () => {
  test('name exact tasks of a version, with reasons, and start nothing', async () => {
    const answer = await recommend({ objective: 'Can it solve arithmetic word problems about trains?', task_limit: 12 })
    const [selection] = answer.selections
    expect(answer.sources[0]?.slug).toBe('arithmetic-word-problems')
    expect(selection?.source_ref).toMatch(/^eval:\/\/assay\/arithmetic-word-problems\//)
    expect(selection?.task_ids).toEqual(answer.sources[0]?.tasks.map(task => task.task_id))
    expect(answer.tasks).toBe(12)
    expect(answer.selections.flatMap(one => one.task_ids)).toHaveLength(12)
    expect(answer.terms).toEqual(['solve', 'arithmetic', 'word', 'problems', 'trains'])
    expect(Math.max(...answer.sources.flatMap(one => one.tasks.map(task => task.relevance)))).toBe(1)
    expect(answer.warnings.map(warning => warning.code)).toEqual(expect.arrayContaining(['subset', 'no_history']))
    expect(answer.sources.every(one => one.reasons.length > 0 && one.tasks.every(task => task.reason.length > 5))).toBe(true)
    const { items } = await service.client.call('listRuns', { query: {} })
    expect(items).toEqual([])
  })

  test('are the same each time, and can be run as they are', async () => {
    const first = await recommend({ objective: 'instruction following in several languages', models: ['assay/echo'] })
    expect(await recommend({ objective: 'instruction following in several languages', models: ['assay/echo'] })).toEqual(first)
    expect(slugs(first)[0]).toBe('instruction-following')
    const { selections: task_selections } = first
    const suite = await service.client.call('createSuite', { body: { name: 'as recommended', task_selections } })
    expect(suite.tasks).toBe(first.tasks)
    const evaluation = await service.client.call('createEvaluation', {
      body: { name: 'as recommended', model: { kind: 'managed', route_id: 'assay/echo' }, task_selections, max_charge_microusd: '0' },
    })
    await runToEnd(service.client, service.baseUrl, evaluation.run_id)
    expect(evaluation.sources.map(source => source.profile_id)).toEqual(first.sources.map(source => source.profile_id))
  })

  test('put a benchmark that is about the objective before tasks that hold one of its words by chance', async () => {
    const answer = await recommend({ objective: 'arithmetic word problems, and programming in Python', task_limit: 20 })
    expect(slugs(answer)[0]).toBe('arithmetic-word-problems')
    const best = answer.sources.flatMap(({ slug, tasks }) => tasks.map(task => ({ slug, ...task }))).find(task => task.relevance === 1)
    expect(best?.slug).toBe('arithmetic-word-problems')
  })

  test('find a task by a distinctive word', async () => {
    const { latest_version, title, summary } = await service.client.call('getBenchmark', { params: { slug: 'instruction-following' } })
    const { items } = await service.client.call('listTasks', { query: { source_ref: latest_version?.source_ref ?? '', limit: 1000 } })
    const known = `${title} ${summary}`.toLowerCase()
    const word =
      items.flatMap(task => task.preview.toLowerCase().match(/[a-z]{8,}/g) ?? []).find(candidate => !known.includes(candidate)) ?? ''
    const [selection] = (await recommend({ objective: word, task_limit: 3 })).sources
    expect(selection?.tasks[0]?.reason).toContain(`Names ${word}`)
    const previews = new Map(items.map(task => [task.task_id, task.preview.toLowerCase()]))
    expect(selection?.tasks.map(task => previews.get(task.task_id))).toEqual(selection?.tasks.map(() => expect.stringContaining(word)))
  })

  test('say what is not covered and why', async () => {
    const code = await recommend({ objective: 'programming in Python: write functions that pass tests' })
    expect(code.exclusions.map(exclusion => exclusion.code)).toContain('data_required')
    expect(code.exclusions.every(exclusion => exclusion.reason.length > 10)).toBe(true)
    const wanted = await service.client.call('listBenchmarks', { query: { limit: 100 } })
    const missing = wanted.items.find(item => item.quote_availability.status === 'data_required')?.capabilities[0] ?? ''
    const named = await recommend({ objective: `How good is it at ${missing}` })
    const uncovered = named.uncovered_capabilities.map(one => one.capability)
    const covered = new Set(named.sources.flatMap(source => source.capabilities))
    expect(covered.has(missing) || uncovered.includes(missing)).toBe(true)
    const nonsense = await recommend({ objective: 'xyzzy plugh frobnicate' })
    expect(nonsense).toMatchObject({ selections: [], tasks: 0, historical_cost_microusd: null, warnings: [{ code: 'nothing_found' }] })
  })

  test('take what a task depends on with it, within the limit', async () => {
    const lines = Array.from({ length: 6 }, (_, i) =>
      JSON.stringify({
        id: `step-${i}`,
        input: `Zeppelin ${i === 5 ? 'mooring' : 'navigation'} exercise number ${i}, given in full and at length`,
        target: String(i),
      }),
    )
    const record = await importFiles(
      service,
      { format: 'jsonl', name: 'zeppelins', mapping: JSON.stringify({ id: 'id', input: 'input', target: 'target' }) },
      [{ name: 'zeppelins.jsonl', content: lines.join('\n') }],
    )
    const db = openDatabase(`${service.dataDir}/assay.db`)
    const change = db.prepare(
      'update tasks set depends_on = ? where task_id = ? and version_no = (select no from benchmark_versions where source_ref = ?)',
    )
    for (let i = 1; i < 6; i++) change.run(JSON.stringify([`step-${i - 1}`]), `step-${i}`, record.source_ref)
    db.close()
    const answer = await recommend({ objective: 'zeppelin mooring', task_limit: 3 })
    const [selection] = answer.selections
    expect(selection?.source_ref).toBe(record.source_ref)
    const chosen = new Set(selection?.task_ids)
    expect(chosen.size).toBeLessThanOrEqual(3)
    for (const id of chosen) if (id !== 'step-0') expect(chosen).toContain(`step-${Number(id.slice(5)) - 1}`)
    expect(answer.exclusions).toContainEqual({
      subject: `${record.source_ref}#step-5`,
      code: 'dependencies_do_not_fit',
      reason: 'It needs at least 4 more tasks and 3 can still be taken.',
    })
    const whole = await recommend({ objective: 'zeppelin mooring', task_limit: 6 })
    expect(whole.sources[0]?.tasks.map(task => task.required_by)).toEqual(['step-5', 'step-5', 'step-5', 'step-5', 'step-5', null])
  })

  test('do not tell another workspace what the tasks of this one hold', async () => {
    const { id } = await service.client.call('createWorkspace', { body: { name: 'Other' } })
    const other = clientFor(service.baseUrl, service.file.session_token, id)
    const body = { objective: 'arithmetic zeppelin mooring', task_limit: 5 }
    const messages = async (client: TestClient) =>
      (await client.call('recommendTasks', { body })).warnings
        .filter(warning => warning.code === 'unknown_words')
        .map(warning => warning.message)
    expect(await messages(service.client)).toEqual([])
    expect(await messages(other)).toEqual(['No task or benchmark contains: zeppelin, mooring.'])
  })

  test('name every unknown model, and refuse what is out of bounds', async () => {
    const refused = await service.client.refusal('recommendTasks', {
      body: { objective: 'arithmetic', task_limit: 5, models: ['assay/echo', 'no/such', 'none/either'] },
    })
    expect(refused).toMatchObject({ status: 422, code: 'validation_error' })
    expect(refused.detail.map(({ loc }) => loc.join('.'))).toEqual(['body.models.1', 'body.models.2'])
    for (const bad of [{ task_limit: 0 }, { task_limit: 1.5 }, { objective: '  ' }, { budget_microusd: '-1' }]) {
      expect(await service.client.refusal('recommendTasks', { body: { objective: 'arithmetic', task_limit: 5, ...bad } })).toMatchObject({
        status: 422,
      })
    }
  })
})

describe('recommendations after models have run', () => {
  /** A model that knows the first so many riddles, and has answered all of them once. Answers its connection's id. */
  async function connect(name: string, known: number) {
    const models = await startModelServer({
      answers: question =>
        Number(/riddle (\d+)/.exec(question)?.[1] ?? -1) < known ? (/riddle (\d+)/.exec(question)?.[1] ?? '') : 'no idea',
    })
    const { id } = await service.client.call('createConnection', { body: { name, base_url: models.baseUrl, model: name } })
    await service.client.call('checkConnection', { params: { connection_id: id } })
    return { id, models }
  }
  const connected = new Map<string, Awaited<ReturnType<typeof connect>>>()

  beforeAll(async () => {
    const { client, baseUrl } = service
    const lines = Array.from({ length: 24 }, (_, i) =>
      JSON.stringify({ id: `q-${i}`, input: `Submarine riddle ${i}: say the number ${i} and nothing else at all`, target: String(i) }),
    )
    await importFiles(
      service,
      { format: 'jsonl', name: 'riddles', mapping: JSON.stringify({ id: 'id', input: 'input', target: 'target' }) },
      [{ name: 'riddles.jsonl', content: lines.join('\n') }],
    )
    const { profiles } = await client.call('getBenchmark', { params: { slug: 'riddles' } })
    // All know the first third; only the strong ones know the second; nobody knows the last.
    for (const [name, known] of [
      ['strong', 16],
      ['weak', 8],
      ['strong-too', 16],
      ['weak-too', 8],
    ] as const) {
      const made = await connect(name, known)
      connected.set(name, made)
      const quoted = await quote(client, { model: { kind: 'connection', connection_id: made.id }, profiles: [profiles[0]?.id ?? ''] })
      expect((await runToEnd(client, baseUrl, (await submit(client, quoted.id, name)).id)).status).toBe('complete')
    }
  })
  afterAll(async () => {
    for (const { models } of connected.values()) await models.close()
  })

  const idOf = (name: string) => connected.get(name)?.id ?? ''
  const evaluate = async (name: string, answer: Recommendation) => {
    const evaluation = await service.client.call('createEvaluation', {
      body: {
        name: `${name} on a recommendation`,
        model: { kind: 'connection', connection_id: idOf(name) },
        task_selections: answer.selections,
        max_charge_microusd: '0',
      },
    })
    await runToEnd(service.client, service.baseUrl, evaluation.run_id)
    return service.client.call('getRunResults', { params: { run_id: evaluation.run_id } })
  }
  const own = ({ notices }: Pick<Results, 'notices'>) => notices.filter(notice => notice.code === 'selected_on_own_results')

  test('prefer tasks that separated other models, and know task costs', async () => {
    const answer = await recommend({ objective: 'submarine riddle', task_limit: 8, models: ['assay/echo'], budget_microusd: '1000000' })
    const [selection] = answer.sources
    expect(selection?.tasks.map(task => task.task_id)).toEqual(['q-8', 'q-9', 'q-10', 'q-11', 'q-12', 'q-13', 'q-14', 'q-15'])
    // Four of six pairs differ, all the right way round: 2/3, shrunk by 3/5.
    expect(selection?.tasks.map(task => task.separation)).toEqual(Array.from({ length: 8 }, () => expect.closeTo(0.4, 10)))
    expect(selection?.tasks[0]?.reason).toContain('past results tell better models from worse')
    expect(answer.informed_by).toEqual(['strong', 'strong-too', 'weak', 'weak-too'])
    expect(answer.warnings.map(warning => warning.code)).toContain('selected_on_results')
    expect(answer.warnings.map(warning => warning.code)).not.toContain('no_history')
    expect(answer.historical_cost_microusd).toBe('0')
  })

  test('take connections as models, by id or as a quote takes them, and leave their own results out', async () => {
    const models = [idOf('strong'), { kind: 'connection', connection_id: idOf('weak') }] as const
    const answer = await recommend({ objective: 'submarine riddle', task_limit: 6, models: [...models] })
    expect(answer.informed_by).toEqual(['strong-too', 'weak-too'])
    // One pair, wholly apart, shrunk by 1/3.
    expect(answer.sources[0]?.tasks[0]?.separation).toBeCloseTo(1 / 3, 10)
    expect(own(await evaluate('strong', answer))).toEqual([])
    const all = await recommend({ objective: 'submarine riddle', task_limit: 4, models: [...connected.values()].map(({ id }) => id) })
    expect(all.informed_by).toEqual([])
    expect(all.warnings.map(warning => warning.code)).toContain('no_history')
    expect(all.historical_cost_microusd).toBeNull()
  })

  test('do not mark a score on tasks that would have been chosen all the same without the model’s results', async () => {
    const informed = await recommend({ objective: 'submarine riddle', task_limit: 7 })
    expect(own(await evaluate('weak', informed))).toHaveLength(1)
    const without = await recommend({ objective: 'submarine riddle', task_limit: 7, models: [idOf('weak')] })
    expect(without.selections).toEqual(informed.selections)
    expect(own(await evaluate('weak', without))).toEqual([])
  })

  test('mark a score on tasks that the same model’s results helped to choose, and show none as if it were one', async () => {
    const answer = await recommend({ objective: 'riddle of the submarine', task_limit: 9 })
    const results = await evaluate('weak-too', answer)
    expect(own(results)).toEqual([
      expect.objectContaining({
        profile_id: answer.sources[0]?.profile_id,
        message: expect.stringContaining('It can still show where the model fails'),
      }),
    ])
    expect(results.metrics.every(metric => metric.estimate.cautions.some(caution => caution.includes('own past results')))).toBe(true)
    const html = await service.fetch(`/v1/runs/${results.run_id}/export?format=html`, { headers: service.client.headers })
    const text = await html.text()
    expect(text).toContain('Not scored: biased selection')
    const [, table = ''] = /<caption[^>]*>(?:<bdi[^>]*>)?Metrics(?:<\/bdi>)?<\/caption>([\s\S]*?)<\/table>/.exec(text) ?? []
    for (const { metric, estimate } of results.metrics) expect(table, metric).not.toContain(`>${formatPercent(estimate.mean)}<`)
    expect(table.match(/>biased selection</g)).toHaveLength(results.metrics.length)
    // Half of them and more are enough, in whatever order and company; fewer are not.
    const [first] = answer.selections
    const some = { ...answer, selections: first ? [{ ...first, task_ids: [...first.task_ids.slice(0, 5), 'q-20', 'q-21'].reverse() }] : [] }
    expect(own(await evaluate('weak-too', some))).toHaveLength(1)
    const few = { ...answer, selections: first ? [{ ...first, task_ids: [...first.task_ids.slice(0, 2), 'q-20', 'q-21', 'q-22'] }] : [] }
    expect(own(await evaluate('weak-too', few))).toEqual([])
  })
})
