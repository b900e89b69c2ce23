import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StartedDemo } from '../../src/contract/workspace/workspace.schemas.ts'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { jobEnd } from '../support/judging.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'

let service: TestService
let before: Readonly<Record<string, number>>
let demo: StartedDemo
let inside: TestClient

/** Rows of every table but those that belong to no workspace: kept requests, sessions, settings, the count of commits, the length of shared tasks. */
function rowCounts(): Record<string, number> {
  const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
  const tables = db.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all().map(String)
  // What a search index keeps of removed rows is merged away in its own time.
  const kept = tables.filter(name => !/^(idempotency|sessions|settings|commits|prompt_tokens|.*_(data|idx|config|terms))$/.test(name))
  const counts = Object.fromEntries(kept.map(name => [name, Number(db.prepare(`select count(*) from "${name}"`).pluck().get())]))
  db.close()
  return counts
}

/** The highest number in each table whose rows are known by number elsewhere, such as in the thread that writes runs. */
function highestNumbers() {
  const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
  const numbers = ['runs', 'tasks', 'datasets'].map(table => Number(db.prepare(`select max(no) from ${table}`).pluck().get()))
  db.close()
  return numbers
}

const filesOfRuns = () =>
  ['exports', 'cache/search'].flatMap(folder =>
    existsSync(join(service.dataDir, folder)) ? readdirSync(join(service.dataDir, folder)) : [],
  )

beforeAll(async () => {
  service = await startTestService()
  await service.client.call('listBenchmarks', { query: { limit: 1 } })
  before = rowCounts()
  demo = await service.client.call('startDemo', {})
  inside = clientFor(service.baseUrl, service.file.session_token, demo.workspace.id)
  await jobEnd(inside, demo.job_id)
})
afterAll(() => service.close())

test('is filled by a job with real runs and what rests on them', async () => {
  expect(await inside.call('getJob', { params: { job_id: demo.job_id } })).toMatchObject({
    state: 'succeeded',
    error: null,
    progress: { done: 10, total: 10 },
  })
  const { items: runs } = await inside.call('listRuns', { query: { limit: 100 } })
  const named = runs.filter(({ name }) => /^Model [ABC]: /.test(name))
  expect(named.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'complete'))
  expect((await inside.call('listComparisons', { query: {} })).items).toMatchObject([{ name: 'Models B and C against model A' }])
  expect((await inside.call('listDatasets', { query: {} })).items).toMatchObject([
    { counts: { approved: 40, draft: 4 }, agreement: { alpha: { mean: expect.any(Number) } }, latest_version: { example_count: 40 } },
  ])
  const [calibration] = (await inside.call('listCalibrations', { query: {} })).items
  expect(calibration).toMatchObject({ status: 'resolved' })
  expect((await inside.call('listReleaseDecisions', { query: {} })).items).toMatchObject([{ status: 'approved' }])
  expect((await inside.call('listTuneSessions', { query: {} })).items).toMatchObject([{ status: 'complete', conclusion: {} }])
  const { items: traces } = await inside.call('listTraces', { query: { limit: 100 } })
  expect(traces.filter(({ error_count: errors }) => errors > 0)).toHaveLength(2)
  expect(traces).toHaveLength(8)
  expect((await inside.call('listPackages', { query: {} })).items).toMatchObject([{ status: 'published', title: 'Prices of stationery' }])
  expect((await inside.call('listIssues', { query: {} })).items).toMatchObject([{ status: 'open', tasks: [{}, {}, {}] }])
  expect((await inside.call('listReleaseAssets', { query: { kind: 'external' } })).items).toMatchObject([{ name: 'Model A, as JUnit XML' }])
  expect((await inside.call('listEvaluatorDrafts', { query: {} })).items).toHaveLength(1)
  expect(await inside.call('listTuneMonitors', { query: {} })).toMatchObject([{ status: 'paused', last_verdict: {} }])
  expect((await inside.call('listSchedules', { query: {} })).items).toMatchObject([{ status: 'paused' }])
})

test('shows where model B is worse: on questions with many steps', async () => {
  const [comparison] = (await inside.call('listComparisons', { query: {} })).items
  const { runs, breakdowns } = await inside.call('getComparison', { params: { comparison_id: comparison?.id ?? '' } })
  const modelB = runs.find(({ label }) => label.includes('Hasty'))
  const bySteps = breakdowns.filter(({ contender_id, dimension }) => contender_id === modelB?.id && dimension === 'steps')
  const gapOf = (steps: string) => bySteps.find(({ value }) => value === steps)?.difference ?? Number.NaN
  // Of 54 tasks each; the hasty reader is right on a quarter of long questions, the oracle on nine tenths.
  expect(gapOf('5')).toBeLessThan(-0.25)
  expect(gapOf('2')).toBeGreaterThan(-0.2)
})

test('is marked, one for each person, and nothing but a demo can be removed', async () => {
  const { workspaces } = await service.client.call('getMe', {})
  expect(workspaces.map(({ name, demo: isDemo }) => [name, isDemo])).toEqual([
    ['My workspace', false],
    ['Demo', true],
  ])
  expect(await service.client.refusal('startDemo', {})).toMatchObject({ code: 'conflict' })
  expect((await service.keyClient.refusal('startDemo', {})).code).toBe('human_approval_required')
  const own = { params: { workspace_id: service.workspaceId } }
  expect(await service.client.refusal('removeWorkspace', own)).toMatchObject({ code: 'conflict' })
})

test('is removed whole, while work goes on in it, and can be made again', async () => {
  const { items } = await inside.call('listBenchmarks', { query: { q: 'arithmetic' } })
  const quote = await inside.call('createQuote', {
    body: {
      model: { kind: 'managed', route_id: 'assay/oracle-50' },
      selection: { profile_ids: items[0]?.profile_ids.slice(0, 1) ?? [] },
      coverage: { mode: 'full' },
      max_charge_microusd: '0',
    },
  })
  await inside.call('submitRun', { body: { quote_id: quote.id, name: 'Under way' }, headers: { 'idempotency-key': 'under-way' } })
  await inside.call('removeWorkspace', { params: { workspace_id: demo.workspace.id } })
  expect(rowCounts()).toEqual(before)
  expect(filesOfRuns()).toEqual([])
  expect((await inside.refusal('listRuns', { query: {} })).code).toBe('workspace_forbidden')
  const again = await service.client.call('startDemo', {})
  const stopped = clientFor(service.baseUrl, service.file.session_token, again.workspace.id)
  await stopped.call('cancelJob', { params: { job_id: again.job_id } })
  await stopped.call('removeWorkspace', { params: { workspace_id: again.workspace.id } })
  expect(rowCounts()).toEqual(before)
})

test('gives none of its numbers to what is made after it was removed', async () => {
  const { client } = service
  const started = await client.call('startDemo', {})
  const within = clientFor(service.baseUrl, service.file.session_token, started.workspace.id)
  await jobEnd(within, started.job_id)
  const used = highestNumbers()
  await within.call('removeWorkspace', { params: { workspace_id: started.workspace.id } })
  await client.call('createDataset', { body: { name: 'After it', task: 'answer' } })
  const world = await client.call('createEnvironment', { body: worldsExamples.createEnvironment })
  const { id } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-100' }, profiles: world.profile_ids.slice(0, 1) })
  const run = await runToEnd(client, service.baseUrl, (await submit(client, id)).id)
  expect(run).toMatchObject({ status: 'complete', progress: { scored: 1 } })
  for (const [i, number] of highestNumbers().entries()) expect(number, String(i)).toBeGreaterThan(used[i] ?? Infinity)
})
