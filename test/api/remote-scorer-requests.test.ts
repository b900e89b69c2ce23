import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listen, type RunningServer } from '../journeys/model-server/listen.ts'
import { calibrated, connectJudge, jobEnd, labeledVersion, type ScriptedJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { type TestService, startTestService } from '../support/service.ts'

const Request = z.looseObject({
  protocol: z.literal('scorer/1'),
  revision: z.literal(2),
  run: z.strictObject({ id: z.string(), kind: z.string(), attempt: z.int() }),
  sample: z.looseObject({ id: z.string(), sample_id: z.string(), epoch: z.int(), messages: z.array(z.looseObject({ role: z.string() })) }),
  output: z.looseObject({ text: z.string() }),
})
type Request = z.infer<typeof Request>

/** The scorer of the documentation, as it is printed there. */
const doc = readFileSync(new URL('../../resources/docs/remote-scorers.md', import.meta.url), 'utf8')
const snippet = /```js\n([\s\S]*?)```/.exec(doc)?.[1] ?? ''
const { answer }: { answer(request: unknown, labels: Record<string, string>): unknown } = await import(
  `data:text/javascript,${encodeURIComponent(snippet)}`
)

let service: TestService
let judge: ScriptedJudge
let server: RunningServer
let connection = ''
let evaluator = { id: '', scorerId: '' }
let received: Request[] = []
let labels: Record<string, string> = {}
beforeAll(async () => {
  service = await startTestService()
  judge = await startJudge(() => 'The answer is 7.')
  connection = await connectJudge(service.client, judge)
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(Buffer.from(chunk)))
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      received.push(Request.parse(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(body, labels)))
    })
  })
  server = await listen(http, 0)
  const { id: scorerId } = await service.client.call('createRemoteScorer', { body: { name: 'Labels', url: `${server.baseUrl}/score` } })
  const { id } = await service.client.call('createEvaluator', {
    body: { name: 'Labels', definition: { kind: 'remote', remote_scorer_id: scorerId, options: { strict: true } } },
  })
  evaluator = { id, scorerId }
})
afterAll(async () => {
  await service.close()
  await judge.close()
  await server.close()
})
beforeEach(() => {
  received = []
})

async function graded() {
  const { client, baseUrl } = service
  const made = await quote(client, {
    model: { kind: 'connection', connection_id: connection },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 3, seed: 1 },
    execution: { epochs: 2, evaluators: [evaluator.id] },
  })
  const { id } = await submit(client, made.id)
  await runToEnd(client, baseUrl, id)
  const { items } = await client.call('listSamples', { params: { run_id: id }, query: {} })
  return { id, samples: items }
}

describe('a remote scorer', () => {
  test('is told a run’s sample by the ids that the interface has, with conversation, model and usage', async () => {
    const { id, samples } = await graded()
    expect(received).toHaveLength(6)
    for (const sample of samples) {
      const request = received.find(({ sample: { sample_id: own } }) => own === sample.id)
      expect(request).toMatchObject({
        run: { id, kind: 'run', attempt: 1 },
        scorer: { name: 'Labels', version: 1, config: { strict: true } },
        sample: { id: sample.task_id, epoch: sample.epoch },
        output: { text: 'The answer is 7.', model: 'judge', usage: { inputTokens: 100, outputTokens: 10 }, stopReason: 'stop' },
      })
      const { messages } = await service.client.call('getSample', { params: { run_id: id, sample_id: sample.id } })
      expect(request?.sample.messages).toEqual(messages)
    }
  })

  test('finds its own data by the task, and its code reaches sample, result and report', async () => {
    const { samples: before } = await graded()
    const known = before[0]?.task_id ?? ''
    labels = { [known]: 'The answer is 7.' }
    const { id, samples } = await graded()
    labels = {}
    for (const { scores, task_id: task, id: sampleId } of samples) {
      const own = scores.find(({ scorer }) => scorer === 'assay/evaluator')
      expect(own).toMatchObject(
        task === known ? { value: 1, class: 'correct', code: null } : { value: null, class: 'unscored', code: 'no_label' },
      )
      const detail = await service.client.call('getSample', { params: { run_id: id, sample_id: sampleId } })
      expect(detail.score_details.find(({ scorer }) => scorer === 'assay/evaluator')?.code).toBe(own?.code)
    }
    const results = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
    expect(results.notices).toContainEqual({
      code: 'unscored_reasons',
      message: 'Of 6 answers, scorers left some without a verdict: no_label (4).',
    })
  })

  test('is told the same of a regraded sample, and another request id', async () => {
    const { id } = await graded()
    const before = received
    received = []
    await service.client.call('regradeRun', { params: { run_id: id }, body: { evaluator_version_id: evaluator.id } })
    const { items } = await service.client.call('listJobs', { query: { kind: 'regrade' } })
    await jobEnd(service.client, items.find(({ subject }) => subject?.id === id)?.id ?? '')
    const told = (requests: readonly Request[]) =>
      requests
        .map(({ run, sample, output }) => ({ run: { ...run, kind: '' }, sample, output }))
        .sort((a, b) => (a.sample.sample_id < b.sample.sample_id ? -1 : 1))
    expect(told(received)).toEqual(told(before))
    expect(received.every(({ run }) => run.kind === 'regrade')).toBe(true)
    expect(new Set([...before, ...received].map(({ requestId }) => requestId)).size).toBe(12)
  })

  test('is told the examples of a calibration by their ids', async () => {
    const examples = Array.from({ length: 30 }, (_, i) => ({ input: `q${i}`, output: 'a', label: i % 2 ? 'pass' : 'fail' }))
    const { versionId, exampleIds } = await labeledVersion(service, { task: 'answer' }, examples)
    await calibrated(service.client, { evaluator_version_id: evaluator.id, dataset_version_id: versionId, seed: 1 })
    expect(received.map(({ sample }) => sample.id).sort()).toEqual([...exampleIds].sort())
    expect(received[0]).toMatchObject({
      run: { kind: 'calibration', attempt: 1 },
      sample: { epoch: 1, messages: [{ role: 'user' }] },
      output: { text: 'a', model: null, usage: null, stopReason: null },
    })
  })

  test('is tried by the request that it would be sent, and sent nothing', async () => {
    const tried = await service.client.call('tryEvaluator', {
      body: { definition: { kind: 'remote', remote_scorer_id: evaluator.scorerId, options: {} }, input: 'q', output: 'a', expected: 'b' },
    })
    if (tried.kind !== 'request') throw new Error(`A remote definition was answered with ${tried.kind}.`)
    expect(Request.parse(tried.request)).toMatchObject({
      run: { kind: 'draft' },
      sample: { input: 'q', target: ['b'] },
      output: { text: 'a' },
    })
    expect(received).toEqual([])
  })

  test('has its protocol stated by every evaluator version of it', async () => {
    const read = await service.client.call('getEvaluator', { params: { evaluator_version_id: evaluator.id } })
    expect(read.protocol).toEqual({ name: 'scorer/1', revision: 2 })
  })
})
