import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Metric } from '../../src/contract/catalog/benchmarks.schemas.ts'
import type { QuoteRequest } from '../../src/contract/quotes/quotes.schemas.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import { type Run, RunEvent, type RunPause } from '../../src/contract/runs/runs.schemas.ts'
import { RunFollowUp } from '../../src/renderer/runs/run-follow-up.tsx'
import { systemClock } from '../../src/service/kernel.ts'
import { finishRun } from '../../src/service/runs/finish-run.ts'
import type { FinishDependencies } from '../../src/service/runs/merge-part.ts'
import { findRun } from '../../src/service/runs/runs.store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { transition } from '../../src/storage/transition.ts'
import type { Workers } from '../../src/workers/pool.ts'
import type { ResultsTask } from '../../src/workers/results.worker.ts'
import { listen } from '../journeys/model-server/listen.ts'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../journeys/model-server/server.ts'
import { patience } from '../support/machine-speed.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let models: ModelServer
let profile: string

beforeEach(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterEach(async () => {
  await models.close()
  await service.close()
})

/** A run, of 30 samples unless it is said, against a model server that answers only the check of its connection. */
async function runAgainst(
  options: Partial<ModelServerOptions> = {},
  isUp = true,
  coverage: QuoteRequest['coverage'] = { mode: 'sample', sample_count: 30, seed: 1 },
): Promise<string> {
  models = await startModelServer({ answers: () => '#### 13', ...options })
  const { client } = service
  const { id } = await client.call('createConnection', { body: { name: 'mine', base_url: models.baseUrl, model: 'replay' } })
  await client.call('checkConnection', { params: { connection_id: id } })
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [profile],
    coverage,
    execution: { max_attempts: 2 },
  })
  if (!isUp) await models.close()
  return (await submit(client, quoteId)).id
}

/** Text of markup, or of a format that escapes none of it. */
const textIn = (markup: string) =>
  markup.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** Reads the run's events until one shows a pause that fits. */
async function pauseOf(id: string, fits: (pause: RunPause) => boolean = () => true): Promise<RunPause> {
  const reply = await service.fetch(`/v1/runs/${id}/events`, { signal: AbortSignal.timeout(30_000 * patience()) })
  let text = ''
  for await (const chunk of reply.body ?? []) {
    text += Buffer.from(chunk).toString()
    for (const [, data = ''] of text.matchAll(/^data: (.*)\n\n/gm)) {
      const event = RunEvent.parse(JSON.parse(data))
      if (event.type === 'progress' && event.pause && fits(event.pause)) return event.pause
    }
  }
  throw new Error(`The run ended without a pause:\n${text}`)
}

/** A run that takes a moment and asks no endpoint. */
async function oracleRun(): Promise<string> {
  const { id } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 5, seed: 1 },
  })
  return (await submit(service.client, id)).id
}

const read = (id: string): Promise<Run> => service.client.call('getRun', { params: { run_id: id } })
const pause = (id: string): Promise<Run> => service.client.call('pauseRun', { params: { run_id: id } })
const resume = (id: string): Promise<Run> => service.client.call('resumeRun', { params: { run_id: id } })

describe('a run that a person pauses', () => {
  /** The check of the connection asks once. */
  const asked = () => models.requests() - 1

  test('ends what is in flight, begins nothing else, also after a restart, and continues on Resume', async () => {
    const held = Promise.withResolvers<void>()
    const id = await runAgainst({ held: call => (call > 6 ? held.promise : null) })
    await expect.poll(asked).toBeGreaterThan(6)
    expect(await pause(id)).toMatchObject({ status: 'running', pause: { code: 'paused', gives_up_at: null, next_attempt_at: null } })
    expect((await service.client.call('getHealth', {})).status).toBe('ok')
    held.resolve()
    await expect.poll(async () => (await read(id)).progress).toMatchObject({ scored: asked(), active: 0, pending: 30 - asked() })
    const before = asked()
    expect(before).toBeLessThan(30)

    await service.restart()
    await expect.poll(() => read(id)).toMatchObject({ pause: { code: 'paused' }, progress: { scored: before, active: 0 } })
    expect(await pause(id)).toMatchObject({ status: 'running', pause: { code: 'paused' } })
    expect(asked()).toBe(before)
    expect(await resume(id)).toMatchObject({ status: 'running', pause: null })
    const run = await runToEnd(service.client, service.baseUrl, id)
    expect(run).toMatchObject({ status: 'complete', pause: null, progress: { scored: 30, failed: 0 } })
    expect(asked()).toBe(30)
    expect(await service.client.refusal('pauseRun', { params: { run_id: id } })).toMatchObject({ code: 'illegal_transition' })
  })

  test('can be cancelled while it is paused', async () => {
    const held = Promise.withResolvers<void>()
    const id = await runAgainst({ held: call => (call > 1 ? held.promise : null) })
    await pause(id)
    held.resolve()
    await service.client.call('cancelRun', { params: { run_id: id } })
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'cancelled', pause: null, progress: { failed: 0 } })
  })
})

describe('pauses and resumptions at once', () => {
  /** Each settles, whether it is taken or refused. */
  const many = (...requests: (() => Promise<Run>)[]) => Promise.allSettled(requests.map(request => request()))

  test('ask each sample once, and the run ends', async () => {
    const id = await runAgainst({ held: call => (call % 5 === 0 ? new Promise(resolve => setImmediate(resolve)) : null) })
    for (let round = 0; round < 8; round++) {
      await many(...[pause, pause, resume, pause, resume].map(request => () => request(id)))
      if (round === 4) await service.restart()
      await resume(id).catch(() => undefined)
    }
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({
      status: 'complete',
      pause: null,
      progress: { scored: 30, failed: 0 },
    })
  })

  test('while the last call ends leave nothing paused, and a cancelled run stays so', async () => {
    const held = Promise.withResolvers<void>()
    const id = await runAgainst({ held: call => (call > 30 ? held.promise : null) })
    await expect.poll(async () => (await read(id)).progress.scored).toBe(29)
    await pause(id)
    held.resolve()
    await many(...[resume, pause, resume].map(request => () => request(id)))
    await resume(id).catch(() => undefined)
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', pause: null, progress: { scored: 30 } })
    for (const operation of ['pauseRun', 'resumeRun'] as const)
      expect((await service.client.refusal(operation, { params: { run_id: id } })).code).toBe('illegal_transition')

    const { client } = service
    const [connection] = (await client.call('listConnections', {})).items
    const { id: quoteId } = await quote(client, {
      model: { kind: 'connection', connection_id: connection?.id ?? '' },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 20, seed: 2 },
    })
    const other = (await submit(client, quoteId)).id
    await many(
      () => pause(other),
      () => client.call('cancelRun', { params: { run_id: other } }),
      () => resume(other),
      () => pause(other),
    )
    expect((await runToEnd(client, service.baseUrl, other)).pause).toBeNull()
  })
})

describe('a run whose endpoint is down', () => {
  test('stays paused over a restart, fails no sample, and continues on Resume', async () => {
    const id = await runAgainst({}, false)
    const { port } = new URL(models.baseUrl)
    const pause = await pauseOf(id)
    expect(pause).toMatchObject({ code: 'endpoint_down', message: expect.stringContaining('refuses connections') })
    const before = await read(id)
    expect(before).toMatchObject({ status: 'running', pause: { code: 'endpoint_down', since: pause.since } })
    expect(before.progress).toMatchObject({ failed: 0, scored: 0 })
    const { codes } = await service.client.call('getSampleOutcomes', { params: { run_id: id } })
    expect({ active: before.progress.active, pending: before.progress.pending, codes }).toEqual({
      active: 0,
      pending: 30,
      codes: '.'.repeat(30),
    })
    expect(before.activity?.endpoint.outage).toMatchObject({ code: 'unreachable' })

    await service.restart()
    expect(await pauseOf(id)).toMatchObject({ code: 'endpoint_down', since: pause.since })
    models = await startModelServer({ answers: () => '#### 13', port: Number(port) })
    expect(await resume(id)).toMatchObject({ id, status: 'running' })
    const run = await runToEnd(service.client, service.baseUrl, id)
    expect(run).toMatchObject({ status: 'complete', pause: null, progress: { scored: 30, failed: 0 } })
  })

  test('can be cancelled', async () => {
    const id = await runAgainst({}, false)
    await pauseOf(id)
    await service.client.call('cancelRun', { params: { run_id: id } })
    const run = await runToEnd(service.client, service.baseUrl, id)
    expect(run).toMatchObject({ status: 'cancelled', pause: null, progress: { failed: 0, cancelled: 30 } })
    const refusal = await service.client.refusal('resumeRun', { params: { run_id: id } })
    expect(refusal).toMatchObject({ status: 409, code: 'illegal_transition' })
  })

  test('has no benchmark score once it was cancelled, and says what was not run', async () => {
    const id = await runAgainst({}, false, { mode: 'full' })
    await pauseOf(id)
    await service.client.call('cancelRun', { params: { run_id: id } })
    expect((await runToEnd(service.client, service.baseUrl, id)).coverage.full_benchmark).toBe(false)
    const { coverage, metrics } = await service.client.call('getRunResults', { params: { run_id: id } })
    expect(coverage).toMatchObject({ mode: 'full', full_benchmark: false, frozen: 270, scored: 0 })
    expect(metrics[0]).toMatchObject({ unscored: 270, not_run: 270, estimate: { mean: null } })
  })
})

describe('a run that the service cannot execute', () => {
  const plant = (sql: string) => {
    const db = openDatabase(`${service.dataDir}/assay.db`)
    db.prepare(sql).run()
    db.close()
  }
  const breakScores = () => plant(`create trigger planted before insert on scores begin select raise(abort, 'planted fault'); end`)
  const repair = () => plant('drop trigger planted')

  test('says why, makes the health degraded, and is executed again when a person resumes it', async () => {
    breakScores()
    const id = await runAgainst()
    const pause = await pauseOf(id)
    expect(pause).toMatchObject({ code: 'internal_error', message: expect.stringContaining('planted fault'), next_attempt_at: null })
    expect(await service.client.call('getHealth', {})).toMatchObject({ status: 'degraded', runs: { paused: 1 } })
    // While it is paused nothing is in progress, in its counts as in its strip.
    expect((await read(id)).progress).toMatchObject({ active: 0, pending: 30 })
    expect((await service.client.call('getSampleOutcomes', { params: { run_id: id } })).codes).toBe('.'.repeat(30))
    // What was wrong is still wrong.
    await resume(id)
    await pauseOf(id, ({ since }) => since !== pause.since)
    repair()
    await resume(id)
    const run = await runToEnd(service.client, service.baseUrl, id)
    expect(run).toMatchObject({ status: 'complete', pause: null, progress: { scored: 30 } })
    expect(await service.client.call('getHealth', {})).toMatchObject({ status: 'ok', runs: { paused: 0 } })
  })

  test('is not executed again by a restart once a person has paused it', async () => {
    breakScores()
    const id = await runAgainst()
    await pauseOf(id)
    expect(await pause(id)).toMatchObject({ pause: { code: 'paused' } })
    repair()
    await service.restart()
    await expect.poll(() => read(id)).toMatchObject({ pause: { code: 'paused' } })
    const before = models.requests()
    // What the start has begun asks by now.
    await runToEnd(service.client, service.baseUrl, await oracleRun())
    expect(models.requests()).toBe(before)
    expect(await read(id)).toMatchObject({ status: 'running', pause: { code: 'paused' } })
    await resume(id)
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', progress: { scored: 30 } })
  })

  test('can be cancelled while what is wrong stays, and its samples and money add up', async () => {
    breakScores()
    const id = await runAgainst()
    await pauseOf(id)
    await service.client.call('cancelRun', { params: { run_id: id } })
    const run = await runToEnd(service.client, service.baseUrl, id)
    expect(run).toMatchObject({ status: 'cancelled', pause: null, result_version: null, accounting: { state: 'settled' } })
    expect(run.progress).toMatchObject({ frozen: 30, cancelled: 30, pending: 0, active: 0 })
    repair()
    await service.restart()
    expect(await read(id)).toMatchObject({ status: 'cancelled' })
  })

  test('whose result cannot be stored is paused too', async () => {
    plant(`create trigger planted before insert on results begin select raise(abort, 'no result today'); end`)
    const id = await runAgainst()
    expect(await pauseOf(id)).toMatchObject({ code: 'internal_error', message: expect.stringContaining('no result today') })
    repair()
    await resume(id)
    expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', result_version: 1 })
  })
})

test('a run that is cancelled while its statistics are made ends cancelled, with a result that says so', async () => {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  db.prepare(`create trigger planted before insert on results begin select raise(abort, 'no result today'); end`).run()
  const id = await runAgainst()
  await pauseOf(id)
  db.prepare('drop trigger planted').run()
  const row = findRun(db, service.workspaceId, id)
  const statuses: string[] = []
  const results = async ({ frame }: ResultsTask) => {
    // A person cancels while the first statistics are made.
    if (statuses.length === 0) transition(db, runMachine, { table: 'runs', column: 'status' }, id, 'cancel', new Date().toISOString())
    statuses.push(frame.status)
    return JSON.stringify(frame)
  }
  const dependencies = finishing(results)
  await finishRun({ db, clock: systemClock }, dependencies, row?.no ?? 0, { kind: 'done' })
  db.close()
  expect(statuses).toEqual(['complete', 'cancelled'])
  expect(await read(id)).toMatchObject({
    status: 'cancelled',
    result_version: 1,
    progress: { scored: 30 },
    accounting: { state: 'settled' },
  })
})

test('a pause that a provider asks for is shown with its end and can be skipped', async () => {
  const id = await runAgainst({ faults: ['ok', 'throttled-for-minutes'] })
  const pause = await pauseOf(id)
  expect(pause).toMatchObject({ code: 'retry_after', message: expect.stringContaining('“Too many requests.”') })
  expect(Date.parse(pause.next_attempt_at ?? '') - Date.now()).toBeLessThanOrEqual(15 * 60_000)
  const patienceMs = Date.parse(pause.gives_up_at ?? '') - Date.parse(pause.since ?? '')
  expect(Math.round(patienceMs / 1000)).toBe(15 * 60)
  await resume(id)
  expect(await runToEnd(service.client, service.baseUrl, id)).toMatchObject({ status: 'complete', progress: { scored: 30 } })
})

test('a pause of a day stops the run, and the interface, its webhook, pages and exports say why', async () => {
  const told: unknown[] = []
  const receiver = createServer((request, response) => {
    void json(request).then(event => {
      told.push(event)
      response.writeHead(204).end()
    })
  })
  const listening = await listen(receiver, 0)
  onTestFinished(() => listening.close())
  await service.client.call('createWebhook', { body: { name: 'Chat', url: listening.baseUrl, events: ['run.ended'] } })
  const id = await runAgainst({ faults: ['ok', 'ok', 'throttled-for-a-day'] })
  const run = await runToEnd(service.client, service.baseUrl, id)
  const gaveUp = { code: 'rate_limited', message: expect.stringContaining('longer than the patience of 15 min') as string }
  expect(run).toMatchObject({ status: 'partial', stop_reason: gaveUp, pause: null, accounting: { state: 'settled' } })
  expect(run.progress).toMatchObject({ failed: 0, scored: 1, missing: 29 })
  const results = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
  expect(results).toMatchObject({ status: 'partial', stop_reason: gaveUp, coverage: { scored: 1, missing: 29 } })
  await expect.poll(() => told).toMatchObject([{ type: 'run.ended', data: { run_id: id, status: 'partial', stop_reason: gaveUp } }])

  const message = run.stop_reason?.message ?? ''
  vi.stubGlobal('localStorage', { getItem: () => null })
  onTestFinished(() => void vi.unstubAllGlobals())
  const followUp = createElement(MemoryRouter, {}, createElement(RunFollowUp, { run }))
  const themed = createElement(MantineProvider, {}, followUp)
  const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, themed))
  expect(textIn(page)).toContain(message)
  expect(textIn(page)).toContain('29 samples have no score.')
  const exported = async (path: string) => [path, textIn(await (await service.fetch(`/v1/runs/${id}/${path}`)).text())]
  for (const path of ['export?format=html', 'export?format=json', 'exports/markdown', 'exports/junit'])
    expect(await exported(path)).toEqual([path, expect.stringContaining('That is longer than the patience of 15 min.')])
})

describe('a connection that is disabled', () => {
  const connectionOf = async (quoteId: string) =>
    (await service.client.call('getQuote', { params: { quote_id: quoteId } })).model.connection_id ?? ''

  test('has no run submitted for it, by a quote of before', async () => {
    const id = await runAgainst()
    const quote_id = (await runToEnd(service.client, service.baseUrl, id)).quote_id ?? ''
    const asked = models.requests()
    await service.client.call('disableConnection', { params: { connection_id: await connectionOf(quote_id) } })
    const error = await service.client.refusal('submitRun', { body: { quote_id, name: 'late' }, headers: { 'idempotency-key': 'late' } })
    expect(error).toMatchObject({
      code: 'quote_incompatible',
      message: 'The quote cannot be submitted: the connection "mine" is disabled. Create a quote with another model.',
    })
    expect(models.requests()).toBe(asked)
  })

  test('is not called by a run that resumes', async () => {
    const begun = Promise.withResolvers<void>()
    // The check's, and as many calls at a time as a connection has at first: until the last arrives, more may be on their way.
    const inFlight = 1 + 8
    const held = (asked: number) => {
      if (asked === inFlight) begun.resolve()
      return asked > 1 ? new Promise(() => undefined) : null
    }
    const id = await runAgainst({ held })
    await begun.promise
    let asked = 0
    await service.restart(() => {
      asked = models.requests()
      const db = openDatabase(`${service.dataDir}/assay.db`)
      db.prepare(`update connections set status = 'disabled'`).run()
      db.close()
    })
    const run = await runToEnd(service.client, service.baseUrl, id)
    expect(run).toMatchObject({ status: 'failed', stop_reason: { code: 'connection_disabled' }, progress: { missing: 30 } })
    expect(models.requests()).toBe(asked)
  })
})

test('a run whose statistics are left by a stop is as it was, and gets them at the next start', async () => {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  db.prepare(`create trigger planted before insert on results begin select raise(abort, 'no result today'); end`).run()
  const id = await runAgainst()
  const paused = await pauseOf(id)
  db.prepare('drop trigger planted').run()
  const no = findRun(db, service.workspaceId, id)?.no ?? 0
  const stop = new AbortController()
  const endless = (_: ResultsTask, signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const left = finishRun({ db, clock: systemClock }, finishing(endless, stop.signal), no, { kind: 'done' })
  stop.abort(new Error('the service stops'))
  await expect(left).rejects.toThrow('the service stops')
  expect(await read(id)).toMatchObject({ status: 'running', result_version: null, pause: paused })
  await finishRun(
    { db, clock: systemClock },
    finishing(async ({ frame }) => JSON.stringify(frame)),
    no,
    { kind: 'done' },
  )
  db.close()
  expect(await read(id)).toMatchObject({ status: 'complete', result_version: 1 })
})

function finishing(results: Workers['results'], signal = new AbortController().signal): FinishDependencies {
  return { workers: { results }, evaluators: { runs: { refreshed: (_: string, metric: Metric) => metric } }, signal }
}
