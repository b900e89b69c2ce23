import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from '../journeys/model-server/listen.ts'
import { connectJudge, drafted, labeledVersion, saveJudge, startJudge } from '../support/judging.ts'
import { cpuMsOf, slowness } from '../support/machine-speed.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { type TestService, startTestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const unknown = '0190c4f0-0000-7000-8000-000000000001'
const exact = (options: Record<string, unknown> = {}) => ({ kind: 'deterministic' as const, scorer: 'assay/exact_match', options })
const save = (name: string, definition: unknown, previous_version_id?: string) =>
  // Definitions in parts, which the service parses.
  service.client.call('createEvaluator', {
    body: { name, definition: definition as never, ...(previous_version_id && { previous_version_id }) },
  })
const refusedToSave = (definition: unknown) =>
  service.client.refusal('createEvaluator', { body: { name: 'x', definition: definition as never } }) // wrong on purpose

describe('evaluators', () => {
  test('are saved as versions with a digest over definition and scorer version, and listed by their latest', async () => {
    const first = await save('Exact', exact())
    expect(first).toMatchObject({
      version: 1,
      latest: true,
      evaluator_id: first.id,
      requires: { model_calls_per_output: 0, sandbox: false },
      calibration: { status: 'none' },
    })
    const second = await save('Exact', exact({ ignore_case: true }), first.id)
    expect(second).toMatchObject({ version: 2, evaluator_id: first.id, previous_version_id: first.id })
    expect(second.digest).not.toBe(first.digest)
    expect((await save('Same', exact())).digest).toBe(first.digest)
    const { items } = await service.client.call('listEvaluators', { query: { q: 'exact' } })
    expect(items.map(({ version }) => version)).toEqual([2])
    expect((await service.client.call('listEvaluators', { query: { q: 'exact', all_versions: true } })).items).toHaveLength(2)
    const conflict = await service.client.refusal('createEvaluator', {
      body: { name: 'x', definition: exact(), previous_version_id: first.id },
    })
    expect(conflict.code).toBe('conflict')
  })

  test.each([
    ['an unknown scorer', { kind: 'deterministic', scorer: 'assay/exct_match' }, 'exact_match'],
    ['options that do not fit', exact({ nonsense: 1 }), 'nonsense'],
    [
      'a pattern that cannot be compiled',
      { kind: 'deterministic', scorer: 'assay/pattern', options: { pattern: '(a)?(?(1)b)' } },
      'remove atomic groups, conditions and comments',
    ],
    ['an unknown remote scorer', { kind: 'remote', remote_scorer_id: unknown }, 'no remote scorer'],
    ['an unknown part', { kind: 'composite', operation: 'all', parts: [{ evaluator_version_id: unknown }] }, 'no evaluator version'],
    [
      'an unknown judge',
      { kind: 'model_graded', judges: [{ model: { kind: 'connection', connection_id: unknown } }], mode: 'pairwise', instructions: 'x' },
      'no connection',
    ],
    [
      'a baseline as a judge',
      { kind: 'model_graded', judges: [{ model: { kind: 'managed', route_id: 'assay/echo' } }], mode: 'pairwise', instructions: 'x' },
      'baseline',
    ],
  ])('refuse %s', async (_, definition, message) => {
    expect(await refusedToSave(definition)).toMatchObject({ code: 'validation_error', message: expect.stringContaining(message) })
  })

  test('nest at most four levels deep', async () => {
    let { id } = await save('Level 1', exact())
    for (let level = 2; level <= 4; level++)
      ({ id } = await save(`Level ${level}`, { kind: 'composite', operation: 'all', parts: [{ evaluator_version_id: id }] }))
    expect(await refusedToSave({ kind: 'composite', operation: 'all', parts: [{ evaluator_version_id: id }] })).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('at most 4 levels'),
    })
  })
})

test('scorers state the release of the tool that they equal, and ours none', async () => {
  const { scorers } = await service.client.call('getEvaluatorOptions', {})
  const equals = Object.fromEntries(scorers.map(scorer => [scorer.id, scorer.equals]))
  expect(equals).toMatchObject({ 'assay/choice': null, 'inspect_ai/choice': 'inspect_ai 0.3.260', 'promptfoo/equals': 'promptfoo 0.123.0' })
  expect(equals['lm_eval/exact_match']).toMatch(/^lm-evaluation-harness 0\.4\.13/)
})

describe('a composite of composites', () => {
  const twenty = (id: string) => ({
    kind: 'composite',
    operation: 'all',
    parts: Array.from({ length: 20 }, () => ({ evaluator_version_id: id })),
  })
  const levelsOver = async (id: string) => {
    let top = id
    for (let level = 2; level <= 4; level++) top = (await save(`Twenty at level ${level} of ${id}`, twenty(top))).id
    return top
  }

  test('calls a judge that it holds 8,000 times once for each output', async () => {
    const judge = await startJudge(() => 'VERDICT: pass')
    const one = await saveJudge(service.client, await connectJudge(service.client, judge), {
      mode: 'classification',
      menu: [
        { value: 'pass', meaning: '', passes: true },
        { value: 'fail', meaning: '' },
      ],
    })
    const top = await levelsOver(one.id)
    const { requires } = await service.client.call('getEvaluator', { params: { evaluator_version_id: top } })
    expect(requires.model_calls_per_output).toBe(1)
    const made = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/echo' },
      profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
      coverage: { mode: 'sample', sample_count: 3, seed: 1 },
      execution: { evaluators: [top] },
    })
    const { id } = await submit(service.client, made.id)
    await runToEnd(service.client, service.baseUrl, id)
    expect(judge.asked).toHaveLength(3)
    await judge.close()
  })

  test('is evaluated once for each evaluator, and quoted at once', async () => {
    const top = await levelsOver((await save('Exact of many', exact({ ignore_case: true }))).id)
    const spent = await cpuMsOf(async () => {
      const tried = await service.client.call('tryEvaluator', {
        body: {
          definition: twenty((await save('Wide', exact({ ignore_case: true }))).id) as never,
          input: 'q',
          output: 'a',
          expected: 'A',
        },
      })
      expect(tried).toMatchObject({ kind: 'verdict', value: 1 })
      await quote(service.client, {
        model: { kind: 'managed', route_id: 'assay/echo' },
        profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
        coverage: { mode: 'sample', sample_count: 3, seed: 1 },
        execution: { evaluators: [top] },
      })
    })
    expect(spent).toBeLessThan(4_000 * slowness())
  })

  test('is refused beyond 64 different evaluators', async () => {
    const many = async (name: string, count: number) => {
      const parts: { evaluator_version_id: string }[] = []
      for (let i = 0; i < count; i++) parts.push({ evaluator_version_id: (await save(`${name} ${i}`, exact())).id })
      return (await save(name, { kind: 'composite', operation: 'all', parts })).id
    }
    const ids = [await many('A', 20), await many('B', 20), await many('C', 20)]
    const parts = ids.map(evaluator_version_id => ({ evaluator_version_id }))
    expect((await save('Just enough', { kind: 'composite', operation: 'any', parts })).requires.model_calls_per_output).toBe(0)
    const more = [...parts, { evaluator_version_id: (await save('One more', exact())).id }]
    expect(await refusedToSave({ kind: 'composite', operation: 'any', parts: more })).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('at most 64 different evaluators'),
    })
  })
})

describe('trying a definition', () => {
  const attempt = (definition: unknown, more: object = {}) =>
    service.client.call('tryEvaluator', {
      body: { definition: definition as never, input: 'What is 2 + 2?', output: 'four', expected: 'Four', ...more },
    })

  test('answers a verdict for a deterministic one and a composite of them', async () => {
    expect(await attempt(exact())).toMatchObject({ kind: 'verdict', value: 0, class: 'wrong' })
    expect(await attempt(exact({ ignore_case: true }))).toMatchObject({ kind: 'verdict', value: 1, answer: 'four' })
    const { id } = await save('Part', exact({ ignore_case: true }))
    expect(await attempt({ kind: 'composite', operation: 'any', parts: [{ evaluator_version_id: id }] })).toMatchObject({
      kind: 'verdict',
      value: 1,
    })
  })

  test('returns a judge’s exact prompt in both orders without model calls', async () => {
    const judge = await startJudge(() => 'VERDICT: a')
    const connection = await connectJudge(service.client, judge)
    const definition = {
      kind: 'model_graded',
      judges: [{ model: { kind: 'connection', connection_id: connection } }],
      mode: 'pairwise',
      instructions: 'Which is better?',
    }
    const tried = await attempt(definition, { output: { a: 'FIRST', b: 'SECOND' } })
    if (tried.kind !== 'prompt') throw new Error('A judge answers its prompt.')
    expect(tried.questions.map(({ order }) => order)).toEqual(['ab', 'ba'])
    expect(tried.model_calls_per_output).toBe(2)
    expect(tried.questions[0]?.messages[1]?.content).toMatch(/FIRST[\s\S]*SECOND/)
    expect(tried.questions[1]?.messages[1]?.content).toMatch(/SECOND[\s\S]*FIRST/)
    expect(judge.asked).toHaveLength(0)
    await judge.close()
  })

  test('asks a judge within a limit: its cost first, then verdict, reason and cost, and keeps no evaluator', async () => {
    const judge = await startJudge(() => ({ tool: { reasoning: 'It is four.', verdict: 'pass' } }))
    const { client } = service
    const { definition } = await saveJudge(client, await connectJudge(client, judge, { priced: true }))
    const before = (await client.call('listEvaluators', { query: {} })).items.length
    const body = { definition, input: 'What is 2 + 2?', output: 'four' }
    const tried = await client.call('tryEvaluator', { body })
    if (tried.kind !== 'prompt') throw new Error('A judge answers its prompt.')
    expect(Number(tried.estimated_microusd)).toBeGreaterThan(0)
    expect(Number(tried.upper_bound_microusd)).toBeGreaterThan(Number(tried.estimated_microusd))
    const withReference = await client.call('tryEvaluator', { body: { ...body, expected: 'four '.repeat(2_000) } })
    if (withReference.kind !== 'prompt') throw new Error('A judge answers its prompt.')
    expect(Number(withReference.upper_bound_microusd)).toBeGreaterThan(2 * Number(tried.upper_bound_microusd))
    expect(await client.refusal('runEvaluatorTrial', { body })).toMatchObject({ code: 'validation_error' })
    const low = await client.refusal('runEvaluatorTrial', { body: { ...body, max_charge_microusd: '1' } })
    expect(low.code).toBe('spending_limit_reached')
    expect(judge.asked).toHaveLength(0)
    const cap = tried.upper_bound_microusd ?? ''
    expect(await client.call('runEvaluatorTrial', { body: { ...body, max_charge_microusd: cap } })).toMatchObject({
      value: 1,
      votes: [{ verdict: 'pass', reason: 'It is four.' }],
      spending: { calls: 1, charged_microusd: '0', provider_billed_microusd: '120' },
    })
    expect(judge.asked).toHaveLength(1)
    expect((await client.call('listEvaluators', { query: {} })).items).toHaveLength(before)
    expect(await client.refusal('runEvaluatorTrial', { body: { definition: exact(), output: 'a' } })).toMatchObject({
      code: 'validation_error',
    })
    await judge.close()
  })

  test.each([
    [
      'whose definitions double',
      {
        $ref: '#/$defs/x0',
        $defs: Object.fromEntries(
          Array.from({ length: 23 }, (_, i) => [
            `x${i}`,
            i === 22 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/x${i + 1}` }, { $ref: `#/$defs/x${i + 1}` }] },
          ]),
        ),
      },
    ],
    ['that is large', { properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`p${i}`, { type: 'string' }])) }],
  ])('refuses a schema %s by name', async (_, schema) => {
    const refusal = await service.client.refusal('tryEvaluator', {
      body: { definition: { kind: 'deterministic', scorer: 'assay/json_schema', options: { schema } } as never, input: 'q', output: '{}' },
    })
    expect(refusal).toMatchObject({ code: 'validation_error', message: expect.stringContaining('more than 2,000 subschemas') })
  })

  test('counts an output that keeps its schema busy as wrong', async () => {
    const twice = [{ $ref: '#' }, { $ref: '#' }]
    const schema = { properties: { a: { allOf: twice } } }
    let output: object = {}
    for (let i = 0; i < 40; i++) output = { a: output }
    const tried = await attempt(
      { kind: 'deterministic', scorer: 'assay/json_schema', options: { schema } },
      { output: JSON.stringify(output) },
    )
    expect(tried).toMatchObject({ kind: 'verdict', value: 0, explanation: expect.stringContaining('breaks the limit') })
  })

  test('ends a pattern that would hang', async () => {
    const spent = await cpuMsOf(async () => {
      const tried = await attempt(
        { kind: 'deterministic', scorer: 'assay/pattern', options: { pattern: '(a+)+$' } },
        { output: `${'a'.repeat(50_000)}b` },
      )
      expect(tried).toMatchObject({ kind: 'verdict' })
    })
    expect(spent).toBeLessThan(5_000 * slowness())
  })
})

describe('previews', () => {
  test('grade a pinned example by a deterministic evaluator, and refuse everything else by name', async () => {
    const { versionId, exampleIds } = await labeledVersion(service, { task: 'answer' }, [
      { input: 'q', output: 'Paris', expected: 'paris', label: 'pass' },
      { input: 'q2', output: 'Rome', expected: 'paris', label: 'pass' },
    ])
    const { id } = await save('Preview', exact({ ignore_case: true }))
    const of = (example_id: string) => ({ evaluator_version_id: id, dataset_version_id: versionId, example_id })
    expect(await service.client.call('previewEvaluator', { body: of(exampleIds[0] ?? '') })).toMatchObject({
      value: 1,
      label: 'pass',
      verdict: 'pass',
      agrees: true,
    })
    expect(await service.client.call('previewEvaluator', { body: of(exampleIds[1] ?? '') })).toMatchObject({
      value: 0,
      verdict: 'fail',
      agrees: false,
    })
    expect(await service.client.refusal('previewEvaluator', { body: of(unknown) })).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('example_id'),
    })
    const judge = await startJudge(() => 'x')
    const judged = await saveJudge(service.client, await connectJudge(service.client, judge))
    await judge.close()
    expect(
      await service.client.refusal('previewEvaluator', { body: { ...of(exampleIds[0] ?? ''), evaluator_version_id: judged.id } }),
    ).toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('model_graded'),
    })
    const { items } = await service.client.call('listCalibrationExamples', { params: { dataset_version_id: versionId }, query: {} })
    expect(items.map(({ example_id }) => example_id)).toEqual(exampleIds)
  })
})

describe('drafts', () => {
  const sums = Array.from({ length: 60 }, (_, i) => ({
    input: `${i} + 0`,
    output: `It is ${i % 3 === 0 ? i + 1 : i}.`,
    expected: String(i),
    label: i % 3 === 0 ? 'fail' : 'pass',
  }))

  test('find the scorer that agrees with the labels, without any model', async () => {
    const { versionId } = await labeledVersion(service, { task: 'answer' }, sums)
    const draft = await drafted(service.client, { dataset_version_id: versionId, mode: 'heuristic' })
    expect(draft).toMatchObject({ status: 'ready', majority: { label: 'pass' }, beats_majority: true, spending: { calls: 0 } })
    expect(draft.candidates[0]).toMatchObject({ agreement: { n: 60, mean: 1 }, folds: [1, 1, 1, 1, 1] })
    expect(draft.rejected.length).toBeGreaterThan(0)
    const [best] = draft.candidates
    expect(await save('Drafted', best?.definition)).toMatchObject({ version: 1 })
  })

  test('say when nothing beats the commonest label', async () => {
    const noise = Array.from({ length: 40 }, (_, i) => ({
      input: `#${i}`,
      output: 'the same answer',
      expected: 'another',
      label: i % 10 === 0 ? 'fail' : 'pass',
    }))
    const { versionId } = await labeledVersion(service, { task: 'answer' }, noise)
    const draft = await drafted(service.client, { dataset_version_id: versionId, mode: 'heuristic' })
    expect(draft).toMatchObject({ status: 'ready', beats_majority: false })
  })

  test('by a model have it write instructions, measure them on other examples, and cost what they say', async () => {
    const judge = await startJudge(chat => {
      const content = chat.messages.at(-1)?.content ?? ''
      if (content.includes('Reply with the instructions alone')) return 'A sum is right when the number is.'
      return `VERDICT: ${/It is (\d+)\./.exec(content)?.[1] === /(\d+) \+ 0/.exec(content)?.[1] ? 'pass' : 'fail'}`
    })
    const connection = await connectJudge(service.client, judge, { priced: true })
    const { versionId } = await labeledVersion(service, { task: 'answer' }, sums)
    const body = {
      dataset_version_id: versionId,
      mode: 'model' as const,
      model: { kind: 'connection' as const, connection_id: connection },
    }
    expect((await service.client.refusal('createEvaluatorDraft', { body })).code).toBe('validation_error')
    const simulated = { ...body, model: { kind: 'managed' as const, route_id: 'assay/simulated-judge' } }
    const refusal = await service.client.refusal('createEvaluatorDraft', { body: simulated })
    expect(refusal).toMatchObject({ code: 'validation_error', message: expect.stringContaining("can't write texts") })
    const draft = await drafted(service.client, { ...body, max_charge_microusd: '10000000' })
    await judge.close()
    expect(draft).toMatchObject({ status: 'ready', spending: { calls: 51, provider_billed_microusd: String(51 * 120) } })
    expect(draft.candidates[0]).toMatchObject({
      agreement: { n: 50, mean: 1 },
      definition: { kind: 'model_graded', instructions: 'A sum is right when the number is.' },
    })
  })
})

describe('remote scorers', () => {
  test('show their secret once, sign by both secrets after a rotation, and are never called once disabled', async () => {
    const received: { headers: Record<string, string>; body: string }[] = []
    const http = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(Buffer.from(chunk)))
      request.on('end', () => {
        received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() }) // none of the headers asked for repeats
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"status":"pong","scorers":[{"name":"style","version":"1"}]}')
      })
    })
    const server = await listen(http, 0)
    const { client } = service
    const made = await client.call('createRemoteScorer', {
      body: { name: 'Style', url: `${server.baseUrl}/score`, headers: { 'X-Key': 'top-secret-value' } },
    })
    const params = { remote_scorer_id: made.id }
    expect(made.signing_secret).toMatch(/^whsec_/)
    const listed = JSON.stringify(await client.call('listRemoteScorers', { query: {} }))
    expect(listed).not.toContain(made.signing_secret)
    expect(listed).not.toContain('top-secret-value')
    expect(await client.call('testRemoteScorer', { params })).toMatchObject({
      last_test: { ok: true, scorers: [{ name: 'style', version: '1' }] },
    })
    new Webhook(made.signing_secret).verify(received[0]?.body ?? '', received[0]?.headers ?? {})
    expect(received[0]?.headers['x-key']).toBe('top-secret-value')
    const rotated = await client.call('rotateRemoteScorerSecret', { params })
    expect(rotated.signing_secret).not.toBe(made.signing_secret)
    await client.call('testRemoteScorer', { params })
    for (const secret of [made.signing_secret, rotated.signing_secret])
      new Webhook(secret).verify(received[1]?.body ?? '', received[1]?.headers ?? {})
    expect(await client.call('disableRemoteScorer', { params })).toMatchObject({
      status: 'disabled',
      disabled_reason: 'Disabled by a user.',
    })
    expect((await client.refusal('testRemoteScorer', { params })).code).toBe('illegal_transition')
    expect(received).toHaveLength(2)
    expect(await client.call('updateRemoteScorer', { params, body: { status: 'active', url: 'https://example.com/score' } })).toMatchObject(
      {
        status: 'active',
        header_names: [],
      },
    )
    await server.close()
  })

  test.each([
    ['http://169.254.169.254/', 'validation_error'],
    ['http://example.com/score', 'validation_error'],
    ['http://192.168.1.7/score', 'validation_error'],
    ['ftp://example.com/', 'validation_error'],
    ['https://user:pass@example.com/', 'validation_error'],
  ])('at %s are refused to a person', async (url, code) => {
    expect((await service.client.refusal('createRemoteScorer', { body: { name: 'x', url } })).code).toBe(code)
  })

  test('in a private network need an owner; keys register public https and loopback alone', async () => {
    const body = { name: 'Private', url: 'https://192.168.1.7/score', allow_private: true }
    expect(await service.client.call('createRemoteScorer', { body })).toMatchObject({ allow_private: true })
    expect((await service.keyClient.refusal('createRemoteScorer', { body })).code).toBe('human_approval_required')
    expect((await service.keyClient.refusal('createRemoteScorer', { body: { name: 'x', url: 'http://example.com/' } })).code).toBe(
      'human_approval_required',
    )
    expect(await service.keyClient.call('createRemoteScorer', { body: { name: 'Local', url: 'http://127.0.0.1:28123/' } })).toMatchObject({
      status: 'active',
    })
  })
})
