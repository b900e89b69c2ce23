import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Run, RunPause } from '../../src/contract/runs/runs.schemas.ts'
import { listen } from '../journeys/model-server/listen.ts'
import { connectJudge, type JudgeReply, labeledVersion, saveJudge, startJudge } from '../support/judging.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const echo = { kind: 'managed', route_id: 'assay/echo' } as const
const busy = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } })
const read = (id: string): Promise<Run> => service.client.call('getRun', { params: { run_id: id } })

async function runJudgedBy(evaluator: string, execution: object = {}): Promise<string> {
  const { client } = service
  const { id } = await quote(client, {
    model: echo,
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 4, seed: 1 },
    execution: { evaluators: [evaluator], ...execution },
  })
  return (await submit(client, id)).id
}

async function judgeThat(reply: (n: number) => JudgeReply): Promise<{ readonly id: string; readonly asked: readonly unknown[] }> {
  const judge = await startJudge((_, n) => reply(n))
  onTestFinished(() => judge.close())
  const { id } = await saveJudge(service.client, await connectJudge(service.client, judge))
  return { id, asked: judge.asked }
}

async function scorerThat(reply: (response: ServerResponse, request: IncomingMessage) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    reply(response, request)
  })
  const running = await listen(server, 0)
  onTestFinished(() => running.close())
  const { client } = service
  const { id } = await client.call('createRemoteScorer', { body: { name: 'Ours', url: `${running.baseUrl}/score` } })
  const definition = { kind: 'remote' as const, remote_scorer_id: id, options: {} }
  return (await client.call('createEvaluator', { body: { name: 'Remote', definition } })).id
}

async function pauseOf(id: string): Promise<RunPause> {
  await expect.poll(async () => (await read(id)).pause?.waits_for).toBeDefined()
  const { pause } = await read(id)
  if (!pause) throw new Error('The run waits no more.')
  return pause
}

const secondsBetween = (from: string | null, to: string | null) => Math.round((Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000)

describe('a run whose judge takes no calls', () => {
  test('says what it waits for and until when, can skip the wait, and loses no verdict', async () => {
    let isBusy = true
    const { id: evaluator } = await judgeThat(() => (isBusy ? busy(600) : 'VERDICT: pass'))
    const id = await runJudgedBy(evaluator, { throttle_patience_ms: 1_200_000 })
    const pause = await pauseOf(id)
    expect(pause).toMatchObject({
      code: 'retry_after',
      waits_for: 'judge',
      message: expect.stringContaining('The judge judge takes no calls'),
    })
    expect(secondsBetween(pause.since, pause.gives_up_at)).toBe(1200)
    expect(Date.parse(pause.next_attempt_at ?? '')).toBeGreaterThan(Date.parse(pause.since ?? ''))
    isBusy = false
    await service.client.call('resumeRun', { params: { run_id: id } })
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', pause: null })
    const { metrics, notices } = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
    expect(metrics.find(({ evaluator: by }) => by?.judged)).toMatchObject({ unscored: 0, estimate: { mean: 1 } })
    expect(notices.map(({ code }) => code)).not.toContain('judge_lost')
  })

  test('says in the same words in API, report and MCP how many verdicts are missing once the judge is given up', async () => {
    const { id: evaluator } = await judgeThat(() => busy(3600))
    const id = await runJudgedBy(evaluator, { throttle_patience_ms: 1000 })
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete' })
    const { notices } = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
    const message = notices.find(({ code }) => code === 'judge_lost')?.message ?? ''
    expect(message).toBe(
      '4 of 4 answers have no verdict because a judge did not answer, also when called again. They are unscored, not wrong; regrade the run by the evaluator once it answers.',
    )
    const report = await (await service.fetch(`/v1/runs/${id}/export?format=html`)).text()
    expect(report).toContain(message)
    const mcp = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${service.file.api_key}` } }
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }))
    const { content } = await mcp.callTool({ name: 'get_results', arguments: { run_id: id } })
    await mcp.close()
    expect(JSON.stringify(content)).toContain(message)
  })
})

describe('a job whose judge takes no calls', () => {
  const params = async (): Promise<{ readonly evaluator: string; readonly connection_id: string; readonly versionId: string }> => {
    const judge = await startJudge(() => busy(600))
    onTestFinished(() => judge.close())
    const connection_id = await connectJudge(service.client, judge)
    const examples = Array.from({ length: 60 }, (_, i) => ({ input: `${i}`, output: 'yes', label: i % 2 ? 'pass' : 'fail' }))
    const { versionId } = await labeledVersion(service, { task: 'answer' }, examples)
    return { evaluator: (await saveJudge(service.client, connection_id)).id, connection_id, versionId }
  }
  const calibration = async () => {
    const { evaluator, versionId } = await params()
    const body = { evaluator_version_id: evaluator, dataset_version_id: versionId }
    return (await service.client.call('createCalibration', { body })).job_id
  }
  const draft = async () => {
    const { connection_id, versionId } = await params()
    const body = { dataset_version_id: versionId, mode: 'model', model: { kind: 'connection', connection_id } } as const
    return (await service.client.call('createEvaluatorDraft', { body })).job_id
  }
  const regrade = async () => {
    const { id: evaluator } = await judgeThat(() => busy(600))
    const { client } = service
    const profiles = [await profileId(client, 'arithmetic-word-problems', 'zero-shot')]
    const { id } = await quote(client, { model: echo, profiles, coverage: { mode: 'sample', sample_count: 4, seed: 1 } })
    const run_id = (await submit(client, id)).id
    await runToEnd(client, service.baseUrl, run_id)
    const quoted = await client.call('createRegradeQuote', {
      params: { run_id },
      body: { evaluator_version_id: evaluator, max_charge_microusd: '1000000' },
    })
    await client.call('regradeRun', { params: { run_id }, body: { evaluator_version_id: evaluator, regrade_quote_id: quoted.id } })
    return (await read(run_id)).regrade?.job_id ?? ''
  }

  test.each([
    ['calibration', calibration, 'judge', 'The judge judge takes no calls, so its verdicts wait: '],
    ['draft', draft, 'model', 'The model judge takes no calls: '],
    ['regrade', regrade, 'judge', 'The judge judge takes no calls, so its verdicts wait: '],
  ] as const)('a %s says what it waits for and until when, and no more once it is cancelled', async (_, start, waits_for, message) => {
    const job = { params: { job_id: await start() } }
    await expect.poll(async () => (await service.client.call('getJob', job)).pause?.message).toContain(message)
    const { pause } = await service.client.call('getJob', job)
    expect(pause).toMatchObject({ code: 'retry_after', waits_for })
    expect(secondsBetween(pause?.since ?? null, pause?.gives_up_at ?? null)).toBe(900)
    expect(await service.client.call('cancelJob', job)).toMatchObject({ state: 'cancelled', pause: null })
  })
})

test('a run whose remote scorer takes no calls says what it waits for, and can skip the wait', async () => {
  let isBusy = true
  const evaluator = await scorerThat(response => {
    if (isBusy) response.writeHead(503, { 'retry-after': '600' }).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status: 'scored', scores: [{ name: 'style', value: 1 }] }))
  })
  const id = await runJudgedBy(evaluator, { throttle_patience_ms: 1_200_000 })
  const pause = await pauseOf(id)
  expect(pause).toMatchObject({ waits_for: 'scorer', message: expect.stringContaining('remote scorer Ours') })
  expect(secondsBetween(pause.since, pause.gives_up_at)).toBe(1200)
  isBusy = false
  await service.client.call('resumeRun', { params: { run_id: id } })
  expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', pause: null })
  const { metrics } = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
  expect(metrics.find(({ title }) => title === 'Remote')).toMatchObject({ unscored: 0, estimate: { mean: 1 } })
})

describe('a judge without a verdict', () => {
  test('that only thought is counted on the result, with the remedy', async () => {
    const { id: evaluator, asked } = await judgeThat(() => '<think>It is right. VERDICT: pass')
    const id = await runJudgedBy(evaluator)
    await runToEnd(service.client, service.baseUrl, id)
    const { notices, metrics } = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
    expect(metrics.find(({ evaluator: by }) => by?.judged)).toMatchObject({ unscored: 4, estimate: { mean: null } })
    expect(notices.find(({ code }) => code === 'judge_answer_missing')?.message).toMatch(/^4 of 4 answers .*Set an effort for the judge/)
    expect(asked).toHaveLength(8)
  })

  test('of one meaning is counted on the result', async () => {
    const { id: evaluator } = await judgeThat(() => 'VERDICT: pass\nVERDICT: fail')
    const id = await runJudgedBy(evaluator)
    await runToEnd(service.client, service.baseUrl, id)
    const { notices } = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
    expect(notices.find(({ code }) => code === 'judge_unclear')?.message).toMatch(/^4 of 4 answers/)
  })
})
