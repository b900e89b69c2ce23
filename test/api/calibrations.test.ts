import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { importAnswers } from '../support/answers.ts'
import { calibrated, connectJudge, jobEnd, labeledVersion, materialOf, saveJudge, startJudge } from '../support/judging.ts'
import { slowness } from '../support/machine-speed.ts'
import { clientFor, type TestService, startTestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const folder = new URL('../../../shared/data/judges/pandalm/', import.meta.url)
const read = <T>(name: string, schema: z.ZodType<T>): T[] =>
  existsSync(folder) ? z.array(schema).parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))) : []

/** The file writes some outputs as booleans. */
const Text = z.union([z.string(), z.boolean(), z.number()]).transform(String)

describe.skipIf(!existsSync(folder))(
  "PandaLM's recorded judges through a scripted endpoint (skipped where ../shared/data/judges is absent)",
  () => {
    const items = read(
      'testset-v1.json',
      z.object({
        instruction: z.string(),
        input: z.string(),
        response1: Text,
        response2: Text,
        annotator1: z.number(),
        annotator2: z.number(),
        annotator3: z.number(),
      }),
    )
    const words = ['tie', 'a', 'b']
    const pandalm = read('pandalm-7b-testset-v1.json', z.object({ pandalm_result: z.number() }))
    const gpt = read('gpt-3.5-turbo-testset-v1.json', z.object({ gpt_result: z.string() }))
    const gptWord = (result: string) => (result === 'Tie' ? 'tie' : (words[Number(result)] ?? result))
    /** Where both outputs are the same text the orders could not be told apart, so the second one says that it is. */
    const first1 = (i: number) => items[i]?.response1 ?? ''
    const second2 = (i: number) =>
      items[i]?.response2 === items[i]?.response1 ? `${items[i]?.response2} (second)` : (items[i]?.response2 ?? '')
    let versionId = ''
    beforeAll(async () => {
      const examples = items.map(({ instruction, input, annotator1: x, annotator2: y, annotator3: z }, i) => ({
        input: `#${i}\n${instruction}\n\n${input}`,
        output: { a: first1(i), b: second2(i) },
        label: words[x === y || x === z ? x : y] ?? '',
        metadata: { pandalm: words[pandalm[i]?.pandalm_result ?? -1] ?? '', judges: { gpt: gptWord(gpt[i]?.gpt_result ?? '') } },
      }))
      versionId = (await labeledVersion(service, { task: 'pairwise' }, examples)).versionId
    })

    /** Says what the recorded judge said of the item, about its own first and second output in whichever order they are shown. */
    const replay = (verdicts: readonly (string | undefined)[]) =>
      startJudge(chat => {
        const [shown = '', first = '', second = ''] = materialOf(chat)
        const i = Number(/^#(\d+)/.exec(shown)?.[1])
        const verdict = verdicts[i]
        if (verdict === undefined) return 'I would rather not say.'
        const isSwapped = first === second2(i) && second === first1(i)
        const mapped = isSwapped ? { a: 'b', b: 'a', tie: 'tie' }[verdict] : verdict
        return `Because.\nVERDICT: ${mapped}`
      })
    const calibration = async (verdicts: readonly (string | undefined)[]) => {
      const judge = await replay(verdicts)
      try {
        const connection = await connectJudge(service.client, judge)
        const { id } = await saveJudge(service.client, connection, { mode: 'pairwise', menu: [] })
        return await calibrated(service.client, { evaluator_version_id: id, dataset_version_id: versionId })
      } finally {
        await judge.close()
      }
    }

    test('pandalm-7b agrees in 667 of 999, kappa 0.435, with no flips', async () => {
      const found = await calibration(pandalm.map(({ pandalm_result: result }) => words[result]))
      expect(found).toMatchObject({ status: 'resolved', n: 999, unscored: 0, disagreements: 332, verdict: 'weak', failure: null })
      expect(found.agreement?.mean).toBe(667 / 999)
      expect(found.kappa?.mean).toBeCloseTo(0.4354, 4)
      expect(found.position_flip_rate).toMatchObject({ n: 999, mean: 0 })
      expect(found.spending.calls).toBe(1998)
      const items = await service.client.call('listCalibrationItems', {
        params: { calibration_id: found.id },
        query: { agrees: false, label: 'a', verdict: 'b', limit: 100 },
      })
      const [row, column] = [found.confusion?.labels.indexOf('a') ?? -1, found.confusion?.labels.indexOf('b') ?? -1]
      expect(items.items.length).toBe(Math.min(100, found.confusion?.counts[row]?.[column] ?? -1))
      expect(items.items[0]).toMatchObject({ label: 'a', verdict: 'b', agrees: false, explanation: expect.stringContaining('Because.') })
    })

    test('gpt-3.5-turbo agrees in 697 of the 974 it scored, kappa 0.493, and 25 are unscored', async () => {
      const found = await calibration(gpt.map(({ gpt_result: result }) => (result === 'Tie' ? 'tie' : words[Number(result)])))
      expect(found).toMatchObject({ status: 'resolved', n: 999, unscored: 25, disagreements: 974 - 697 })
      expect(found.agreement).toMatchObject({ n: 974, mean: 697 / 974 })
      expect(found.kappa?.mean).toBeCloseTo(0.493, 3)
      // Each unscored item took both orders and a repair question for each.
      expect(found.spending.calls).toBe(1998 + 50)
      const unscored = await service.client.call('listCalibrationItems', {
        params: { calibration_id: found.id },
        query: { unscored: true, limit: 100 },
      })
      expect(unscored.items).toHaveLength(25)
      expect(unscored.items[0]?.explanation).toContain('not on the menu')
    })

    test.each([
      ['pandalm', 667, 999, 0.4354],
      ['judges.gpt', 697, 974, 0.493],
    ])('the verdicts in the field %s agree in %i of %i without a call', async (field, agreed, n, kappa) => {
      const { id } = await service.client.call('createEvaluator', {
        body: { name: 'Recorded', definition: { kind: 'deterministic', scorer: 'assay/recorded_verdict', options: { field } } },
      })
      const request = { evaluator_version_id: id, dataset_version_id: versionId }
      expect(await service.client.call('quoteCalibration', { body: request })).toMatchObject({ judge_calls: 0 })
      const found = await calibrated(service.client, request)
      expect(found).toMatchObject({ status: 'resolved', n: 999, unscored: 999 - n, spending: { calls: 0 } })
      expect(found.agreement).toMatchObject({ n, mean: agreed / n })
      expect(found.kappa?.mean).toBeCloseTo(kappa, 3)
      expect(found.kappa?.interval).not.toBeNull()
    })
  },
)

describe('recorded verdicts', () => {
  test('of a log come into a dataset with its run and are calibrated on labels, yet grade no run', async () => {
    const log = JSON.stringify({
      version: 2,
      status: 'success',
      eval: { task: 'guide', model: 'one', scorers: [{ name: 'model_graded_fact' }] },
      samples: Array.from({ length: 40 }, (_, i) => ({
        id: i + 1,
        epoch: 1,
        input: `Question ${i}?`,
        target: 'A long reference.',
        output: { choices: [{ message: { role: 'assistant', content: i % 2 ? 'good' : 'bad' }, stop_reason: 'stop' }] },
        scores: { model_graded_fact: { value: i % 2 || i === 0 ? 'C' : 'I' } },
      })),
    })
    const { runs } = await importAnswers(service, {}, [{ name: 'guide.json', content: log }])
    const runId = runs[0]?.run_id ?? ''
    const { id } = await service.client.call('createDataset', { body: { name: 'Of a log', task: 'answer' } })
    const params = { dataset_id: id }
    await service.client.call('addExamplesFromRun', { params, body: { run_id: runId, limit: 40 } })
    const { items } = await service.client.call('listExamples', { params, query: { limit: 40 } })
    expect(items.map(({ metadata }) => metadata['labels'])).toContainEqual({ recorded_model_graded_fact: 'C' })
    for (const { id: example_id, output } of items) {
      const one = { ...params, example_id }
      await service.client.call('labelExample', { params: one, body: { revision: 1, value: output === 'good' ? 'pass' : 'fail' } })
      await service.client.call('reviewExample', { params: one, body: { revision: 1, decision: 'approve' } })
    }
    const version = await service.client.call('createDatasetVersion', { params, body: {} })
    const evaluator = await service.client.call('createEvaluator', {
      body: {
        name: 'As logged',
        definition: { kind: 'deterministic', scorer: 'assay/recorded_verdict', options: { field: 'labels.recorded_model_graded_fact' } },
      },
    })
    const found = await calibrated(service.client, { evaluator_version_id: evaluator.id, dataset_version_id: version.id })
    expect(found).toMatchObject({ status: 'resolved', n: 40, unscored: 0, disagreements: 1, verdict: 'usable', spending: { calls: 0 } })
    expect(found.kappa?.interval).not.toBeNull()
    await service.client.call('regradeRun', { params: { run_id: runId }, body: { evaluator_version_id: evaluator.id } })
    await expect.poll(async () => (await service.client.call('getRun', { params: { run_id: runId } })).result_version).toBe(2)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: runId } })
    expect(metrics.find(metric => metric.evaluator)).toMatchObject({ unscored: 40, estimate: { n: 0 } })
  })
})

describe('a judge', () => {
  const forty = Array.from({ length: 40 }, (_, i) => ({
    input: `Question ${i}`,
    output: i % 2 ? 'good' : 'bad',
    label: i % 2 ? 'pass' : 'fail',
  }))
  const honest = (chat: Parameters<typeof materialOf>[0]) => `VERDICT: ${materialOf(chat)[1] === 'good' ? 'pass' : 'fail'}`
  let versionId = ''
  beforeAll(async () => {
    versionId = (await labeledVersion(service, { task: 'answer' }, forty)).versionId
  })
  const against = async (
    reply: Parameters<typeof startJudge>[0],
    body: Record<string, unknown> = {},
    options: Parameters<typeof connectJudge>[2] = {},
  ) => {
    const judge = await startJudge(reply)
    const connection = await connectJudge(service.client, judge, options)
    const { id } = await saveJudge(service.client, connection)
    return { judge, request: { evaluator_version_id: id, dataset_version_id: versionId, ...body } }
  }

  test('that agrees is usable, and the evaluator says so', async () => {
    const { judge, request } = await against(honest)
    const found = await calibrated(service.client, request)
    await judge.close()
    expect(found).toMatchObject({
      status: 'resolved',
      verdict: 'usable',
      n: 40,
      unscored: 0,
      sensitivity: { mean: 1 },
      specificity: { mean: 1 },
    })
    const snapshot = await service.client.call('getEvaluator', { params: { evaluator_version_id: request.evaluator_version_id } })
    expect(snapshot.calibration).toEqual({ status: 'current', id: found.id, verdict: 'usable' })
    const { id: next } = await service.client.call('createEvaluator', {
      body: { name: 'Next', previous_version_id: snapshot.id, definition: snapshot.definition },
    })
    expect((await service.client.call('getEvaluator', { params: { evaluator_version_id: next } })).calibration).toMatchObject({
      status: 'stale',
      id: found.id,
    })
  })

  test('with verified tool calls gets a structured output request', async () => {
    const { judge, request } = await against(
      chat => ({ tool: { verdict: materialOf(chat)[1] === 'good' ? 'pass' : 'fail', reason: 'So.' } }),
      {},
      { probes: ['tools'] },
    )
    const found = await calibrated(service.client, request)
    await judge.close()
    expect(judge.asked[0]?.tools?.[0]?.function.name).toBe('give_verdict')
    expect(found).toMatchObject({ unscored: 0, agreement: { mean: 1 } })
  })

  test('whose success cannot be read is asked again, and the call counts as possibly billed', async () => {
    let broken = 0
    const { judge, request } = await against(
      chat => (broken++ === 0 ? { body: '<html>' } : honest(chat)),
      { max_charge_microusd: '10000000' },
      { priced: true },
    )
    const found = await calibrated(service.client, request)
    await judge.close()
    expect(found).toMatchObject({ status: 'resolved', unscored: 0, agreement: { mean: 1 } })
    expect(found.spending).toMatchObject({ calls: 41, possibly_billed_twice: 1, provider_billed_microusd: String(40 * 120) })
  })

  test('whose successes cannot be read uses its limit up, as each may be billed in full', async () => {
    const { judge, request } = await against(() => ({ body: '<html>' }), { max_charge_microusd: '20000' }, { priced: true })
    const found = await calibrated(service.client, request)
    await judge.close()
    expect(found).toMatchObject({ failure: { code: 'spending_limit_reached' } })
    expect(found.spending.provider_billed_microusd).toBe('0')
    expect(found.spending.possibly_billed_twice).toBe(found.spending.calls)
  })

  test.each([
    ['answers off the menu', 'maybe', 80],
    ['answers nothing', '', 80],
    ['answers too long without a verdict', 'word '.repeat(50_000), 80],
  ])('that %s leaves everything unscored, never wrong', async (_, reply, calls) => {
    const { judge, request } = await against(() => reply)
    const found = await calibrated(service.client, request)
    await judge.close()
    expect(found).toMatchObject({
      status: 'resolved',
      unscored: 40,
      disagreements: 0,
      verdict: 'uninformative',
      agreement: { n: 0, mean: null },
    })
    expect(judge.asked).toHaveLength(calls)
  })

  test('that throttles is retried, and no call is lost', async () => {
    const { judge, request } = await against((chat, n) => (n % 5 === 0 ? { status: 429, headers: { 'retry-after': '0' } } : honest(chat)))
    const found = await calibrated(service.client, request)
    await judge.close()
    expect(found).toMatchObject({ status: 'resolved', unscored: 0, agreement: { mean: 1 } })
    expect(found.spending.calls).toBeGreaterThan(40)
  })

  test('whose key is rejected fails the calibration immediately', async () => {
    const { judge, request } = await against(() => ({ status: 401 }))
    const found = await calibrated(service.client, request)
    await judge.close()
    expect(found).toMatchObject({
      status: 'failed',
      failure: { code: 'provider_error', message: expect.stringContaining("can't be used") },
    })
    expect(judge.asked.length).toBeLessThanOrEqual(16)
  })

  test('that dies in the middle fails the calibration, which continues on retry without paying twice', async () => {
    let dead = false
    const answered: string[] = []
    const { judge, request } = await against(
      chat => {
        if (dead || answered.length === 20) {
          dead = true
          return { status: 401 }
        }
        answered.push(materialOf(chat)[0] ?? '')
        return honest(chat)
      },
      { max_charge_microusd: '5000000' },
      { priced: true, concurrency: 1 },
    )
    const failed = await calibrated(service.client, request)
    expect(failed).toMatchObject({
      status: 'failed',
      failure: { code: 'provider_error' },
      spending: { provider_billed_microusd: String(20 * 120) },
    })
    dead = false
    answered.push('the endpoint is back')
    await service.client.call('retryJob', { params: { job_id: failed.job_id } })
    await jobEnd(service.client, failed.job_id)
    await judge.close()
    const found = await service.client.call('getCalibration', { params: { calibration_id: failed.id } })
    expect(found).toMatchObject({
      status: 'resolved',
      n: 40,
      unscored: 0,
      failure: null,
      spending: { provider_billed_microusd: String(40 * 120) },
    })
    expect(answered).toHaveLength(41)
    expect(new Set(answered).size).toBe(41)
  })

  test('needs a spending limit where its calls cost money, and stops before it is passed', async () => {
    const { judge, request } = await against(honest, {}, { priced: true, concurrency: 1 })
    expect(await service.client.refusal('createCalibration', { body: request })).toMatchObject({ code: 'validation_error' })
    // 100 tokens in at 1 and 10 out at 2 micro-USD a token: a call costs 120 and is reserved at far more.
    const found = await calibrated(service.client, { ...request, max_charge_microusd: '6000' })
    expect(found).toMatchObject({ status: 'failed', failure: { code: 'spending_limit_reached' } })
    const spent = Number(found.spending.provider_billed_microusd)
    expect(spent).toBeGreaterThan(0)
    expect(spent).toBeLessThanOrEqual(6000)
    expect(spent).toBe(120 * judge.asked.length)

    // Raised, it continues where it stopped.
    const params = { calibration_id: found.id }
    const raise = (max_charge_microusd: string) => ({ params, body: { max_charge_microusd } })
    expect(await service.client.refusal('changeCalibration', raise(String(spent - 1)))).toMatchObject({
      status: 422,
      message: expect.stringContaining(`already cost ${spent}`),
    })
    expect(await service.client.call('changeCalibration', raise('5000000'))).toMatchObject({ max_charge_microusd: '5000000' })
    await service.client.call('retryJob', { params: { job_id: found.job_id } })
    await jobEnd(service.client, found.job_id)
    await judge.close()
    const whole = await service.client.call('getCalibration', { params })
    expect(whole).toMatchObject({ status: 'resolved', n: 40, spending: { provider_billed_microusd: String(40 * 120) } })
    expect(judge.asked).toHaveLength(40)
    expect(await service.client.refusal('changeCalibration', raise('6000000'))).toMatchObject({ code: 'illegal_transition' })
  })

  test('is cancelled with its job, and the record ends with it', async () => {
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const { judge, request } = await against(async chat => {
      await held
      return honest(chat)
    })
    const { id, job_id } = await service.client.call('createCalibration', { body: request })
    await service.client.call('cancelJob', { params: { job_id } })
    release()
    await jobEnd(service.client, job_id)
    expect(await service.client.call('getCalibration', { params: { calibration_id: id } })).toMatchObject({
      status: 'failed',
      failure: { code: 'cancelled' },
    })
    await judge.close()
  })
})

describe('what a calibration leaves behind', () => {
  test('is a record on each example whether the grader agrees with its label, once', async () => {
    const examples = Array.from({ length: 40 }, (_, i) => ({
      input: `Q${i}`,
      output: i % 4 ? 'yes' : 'no',
      label: i % 2 ? 'pass' : 'fail',
      expected: 'yes',
    }))
    const { datasetId, versionId, exampleIds } = await labeledVersion(service, { task: 'answer' }, examples)
    const { id } = await service.client.call('createEvaluator', {
      body: { name: 'Yes', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
    })
    const found = await calibrated(service.client, { evaluator_version_id: id, dataset_version_id: versionId })
    const history = (i: number) =>
      service.client.call('getVerificationHistory', { params: { dataset_id: datasetId, example_id: exampleIds[i] ?? '' } })
    expect((await history(1)).current).toMatchObject([
      {
        kind: 'grader_agreement',
        outcome: 'agrees',
        revision: 1,
        by: { kind: 'service', id: found.id, name: 'Yes, version 1' },
        detail: { calibration_id: found.id, evaluator_version_id: id, label: 'pass', verdict: 'pass' },
      },
    ])
    expect((await history(2)).current).toMatchObject([{ outcome: 'disagrees', detail: { label: 'fail', verdict: 'pass' } }])
    await service.client.call('reviseExample', {
      params: { dataset_id: datasetId, example_id: exampleIds[1] ?? '' },
      body: { base_revision: 1, output: 'changed' },
    })
    expect(await history(1)).toMatchObject({ current: [], archived: [{ kind: 'grader_agreement', revision: 1 }] })
  })

  test('is how much the judge prefers outputs of its own family, where examples name their models', async () => {
    const { client } = service
    const { id: dataset_id } = await client.call('createDataset', { body: { name: 'Authors', task: 'answer' } })
    const examples = Array.from({ length: 80 }, (_, i) => ({
      input: `Q${i}`,
      output: `${i % 2 ? 'good' : 'bad'} by ${i < 40 ? 'own' : 'other'}`,
      label: i % 2 ? 'pass' : 'fail',
      metadata: { model: i < 40 ? 'openai/gpt-6' : 'claude-6' },
    }))
    const { items } = await client.call('addExamples', { params: { dataset_id }, body: { examples } })
    await client.call('reviewExamples', {
      params: { dataset_id },
      body: { decision: 'approve', examples: items.map(({ example_id }) => ({ example_id, revision: 1 })) },
    })
    const { id: dataset_version_id } = await client.call('createDatasetVersion', { params: { dataset_id }, body: {} })
    // Passes every second bad output of its own family.
    const judge = await startJudge(chat => {
      const [question = '', output = ''] = materialOf(chat)
      const lenient = output === 'bad by own' && Number(question.slice(1)) % 4 === 0
      return `VERDICT: ${output.startsWith('good') || lenient ? 'pass' : 'fail'}`
    })
    const evaluator = await saveJudge(client, await connectJudge(client, judge, { model: 'gpt-6-mini' }))
    const found = await calibrated(client, { evaluator_version_id: evaluator.id, dataset_version_id })
    await judge.close()
    expect(found.self_preference).toMatchObject({ families: ['OpenAI'], own: 40, others: 40, difference: { n: 80, mean: 0.25 } })
    expect(found.self_preference?.difference.interval?.low).toBeGreaterThan(0)
  })
})

describe('a key with a provider ceiling', () => {
  test('is refused judges that could pass it, and gets back what they did not use', async () => {
    const { client, baseUrl, workspaceId } = service
    const { versionId } = await labeledVersion(
      service,
      { task: 'answer' },
      Array.from({ length: 30 }, (_, i) => ({ input: `C${i}`, output: 'good', label: i % 2 ? 'pass' : 'fail' })),
    )
    const judge = await startJudge(() => 'VERDICT: pass')
    const priced = await saveJudge(client, await connectJudge(client, judge, { priced: true }))
    const unpriced = await saveJudge(client, await connectJudge(client, judge))
    const made = await client.call('createApiKey', {
      body: { name: 'judging', scopes: ['evaluators:read', 'evaluators:write', 'jobs:read'], provider_ceiling_microusd: '500000' },
    })
    const key = clientFor(baseUrl, made.key, workspaceId)
    const body = { evaluator_version_id: priced.id, dataset_version_id: versionId }
    const refusal = (more: object) => key.refusal('createCalibration', { body: { ...body, ...more } })
    expect(await refusal({ max_charge_microusd: '500001' })).toMatchObject({ status: 402, code: 'spend_ceiling_reached' })
    const unknown = await refusal({ evaluator_version_id: unpriced.id })
    expect(unknown).toMatchObject({ status: 402, code: 'spend_ceiling_reached', message: expect.stringContaining('states no rates') })
    expect(judge.asked).toEqual([])
    const found = await calibrated(key, { ...body, max_charge_microusd: '500000' })
    await judge.close()
    const { items } = await client.call('listApiKeys', { query: { limit: 100 } })
    const after = items.find(({ id }) => id === made.id)
    expect(after).toMatchObject({ provider_held_microusd: '0', provider_spent_microusd: found.spending.provider_billed_microusd })
    expect(BigInt(found.spending.provider_billed_microusd)).toBeGreaterThan(0n)
  })
})

test('10,000 examples take a deterministic evaluator under 3 s of processor time more than ten', async () => {
  const examples = Array.from({ length: 10_000 }, (_, i) => ({
    input: `What is ${i} + 0?`,
    output: `It is ${i % 4 === 0 ? i + 1 : i}.`,
    expected: String(i),
    label: i % 4 === 0 ? 'fail' : 'pass',
  }))
  const few = await labeledVersion(service, { task: 'answer' }, examples.slice(0, 10))
  const many = await labeledVersion(service, { task: 'answer' }, examples)
  const { id } = await service.client.call('createEvaluator', {
    body: { name: 'Number', definition: { kind: 'deterministic', scorer: 'assay/numeric' } },
  })
  const measured = async (versionId: string) => {
    const before = process.cpuUsage()
    const found = await calibrated(service.client, { evaluator_version_id: id, dataset_version_id: versionId })
    const { user, system } = process.cpuUsage(before)
    return { found, seconds: (user + system) / 1e6 }
  }
  // Either may find its threads ended, and starts them.
  const { seconds: base } = await measured(few.versionId)
  const { found, seconds } = await measured(many.versionId)
  expect(found).toMatchObject({ status: 'resolved', n: 10_000, agreement: { mean: 1 }, verdict: 'usable' })
  expect(seconds - base).toBeLessThan(3 * slowness())
})

test('a calibration is quoted: its judge calls and their price, and no calls without a judge', async () => {
  const { client } = service
  const judge = await startJudge(() => 'VERDICT: pass')
  onTestFinished(() => judge.close())
  const connection = await connectJudge(client, judge, { priced: true })
  const examples = Array.from({ length: 10 }, (_, i) => ({ input: `What is ${i}?`, output: String(i), expected: String(i), label: 'pass' }))
  const { versionId: dataset_version_id } = await labeledVersion(service, { task: 'answer' }, examples)
  const { id: evaluator_version_id } = await saveJudge(client, connection)
  const quoted = await client.call('quoteCalibration', { body: { evaluator_version_id, dataset_version_id } })
  expect(quoted).toMatchObject({ examples: 10, judge_calls: 10 })
  expect(BigInt(quoted.estimated_microusd ?? '0')).toBeGreaterThan(0n)
  expect(BigInt(quoted.upper_bound_microusd ?? '0')).toBeGreaterThan(BigInt(quoted.estimated_microusd ?? '0'))
  expect(judge.asked).toHaveLength(0)
  const exact = await client.call('createEvaluator', {
    body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {} } },
  })
  expect(await client.call('quoteCalibration', { body: { evaluator_version_id: exact.id, dataset_version_id } })).toEqual({
    examples: 10,
    judge_calls: 0,
    estimated_microusd: '0',
    upper_bound_microusd: '0',
  })
})
