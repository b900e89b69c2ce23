import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import type { Sample } from '../../src/contract/runs/samples.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

type NewEvent = NonNullable<Request<Api['createIssueEvent']>['body']>

let service: TestService
let source_ref: string
let samples: readonly Sample[]
let passing: Sample
let failing: Sample

async function runOf(route_id: string): Promise<Run> {
  const { client, baseUrl } = service
  const model = { kind: 'managed', route_id } as const
  const quoted = await quote(client, {
    model,
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 12, seed: 3 },
  })
  return runToEnd(client, baseUrl, (await submit(client, quoted.id)).id)
}
const samplesOf = async (run: Run) => (await service.client.call('listSamples', { params: { run_id: run.id } })).items

beforeAll(async () => {
  service = await startTestService()
  const run = await runOf('assay/oracle-50')
  samples = await samplesOf(run)
  const found = { passing: samples.find(sample => sample.passed === true), failing: samples.find(sample => sample.passed === false) }
  if (!found.passing || !found.failing) throw new Error('The run has no passing or no failing sample.')
  ;({ passing, failing } = found)
  source_ref = (await service.client.call('getRun', { params: { run_id: run.id } })).profiles[0]?.source_ref ?? ''
})
afterAll(() => service.close())

const report = (body: NewEvent) => service.client.call('createIssueEvent', { body })
const refused = (body: NewEvent) => service.client.refusal('createIssueEvent', { body })
const task = (sample: Sample) => ({ source_ref, task_id: sample.task_id })
const opened = async (body: Partial<NewEvent> = {}) =>
  (await report({ type: 'open', title: 'Adds wrong', severity: 'critical', ...body })).issue

describe('an issue', () => {
  test('goes from open to closed and back by what samples show', async () => {
    const { client } = service
    const { id: issue_id, status } = await opened({ note: 'seen in production' })
    expect(status).toBe('open')
    expect((await refused({ issue_id, type: 'reproduce', sample_ids: [failing.id] })).message).toMatch(/No task is linked/)
    expect((await report({ issue_id, type: 'link', tasks: [task(failing), task(failing)] })).issue.tasks).toEqual([task(failing)])
    expect((await refused({ issue_id, type: 'reproduce', sample_ids: [passing.id] })).code).toBe('conflict')
    const reproduced = await report({ issue_id, type: 'reproduce', sample_ids: [failing.id] })
    expect(reproduced).toMatchObject({ event: { from: 'open', to: 'reproduced' }, issue: { status: 'reproduced', last_result: 'fail' } })
    expect((await refused({ issue_id, type: 'reproduce', sample_ids: [failing.id] })).code).toBe('illegal_transition')
    expect((await refused({ issue_id, type: 'fix', sample_ids: [failing.id] })).code).toBe('conflict')
    const right = (await samplesOf(await runOf('assay/oracle-100'))).find(sample => sample.task_id === failing.task_id)
    const fixed = await report({ issue_id, type: 'fix', sample_ids: [right?.id ?? ''] })
    expect(fixed.issue).toMatchObject({ status: 'fixed', last_result: 'pass' })
    expect((await refused({ issue_id, type: 'close' })).message).toMatch(/reason is required/)
    expect((await report({ issue_id, type: 'close', reason: 'verified' })).issue).toMatchObject({ status: 'closed', reason: 'verified' })
    expect((await refused({ issue_id, type: 'link', tasks: [task(passing)] })).code).toBe('illegal_transition')
    expect((await report({ issue_id, type: 'regress', sample_ids: [failing.id] })).issue.status).toBe('regressed')
    const read = await client.call('getIssue', { params: { issue_id } })
    expect(read.events.map(event => event.type)).toEqual(['open', 'link', 'reproduce', 'fix', 'close', 'regress'])
    expect((await client.call('listIssues', { query: { status: 'regressed' } })).items.map(({ id }) => id)).toContain(issue_id)
    const assets = await client.call('listReleaseAssets', { query: { kind: 'issue_event', limit: 2 } })
    expect(assets.items).toMatchObject([{ kind: 'issue_event', type: 'regress' }, { type: 'close' }])
    const rest = await client.call('listReleaseAssets', { query: { kind: 'issue_event', limit: 2, cursor: assets.next_cursor ?? '' } })
    expect(rest.items).toMatchObject([{ type: 'fix' }, { type: 'reproduce' }])
  })

  test('is left as it is by an event that is refused', async () => {
    const { id: issue_id } = await opened({ tasks: [task(failing)] })
    await refused({ issue_id, type: 'reproduce', sample_ids: [passing.id] })
    expect(await service.client.call('getIssue', { params: { issue_id } })).toMatchObject({ status: 'open', events: [{ type: 'open' }] })
  })

  test.each([
    [{ type: 'open', severity: 'low' }, 422, /title is required/],
    [{ type: 'open', title: 'x' }, 422, /severity is required/],
    [{ type: 'link' }, 422, /issue_id is required/],
    [{ type: 'open', title: 'x', severity: 'low', reason: 'invalid' }, 422, /reason is for "close"/],
    [{ type: 'open', title: 'x', severity: 'low', url: 'javascript:x' }, 422, /http/],
    [{ type: 'open', title: 'x', severity: 'low', tasks: [{ source_ref: 'eval://x/y/1', task_id: 'z' }] }, 422, /no source/],
    [{ type: 'link', issue_id: '01890000-0000-7000-8000-000000000000' }, 404, /no issue/],
  ] as const)('needs what its event says %#', async (body, status, message) => {
    const refusal = await refused({ ...body, ...('tasks' in body ? { tasks: [...body.tasks] } : { tasks: undefined }) })
    expect({ status: refusal.status, message: refusal.message }).toMatchObject({ status, message: expect.stringMatching(message) })
  })

  test('is not fixed by a decision or sample that does not exist', async () => {
    const { id: issue_id } = await opened({ tasks: [task(failing)] })
    const unknown = '01890000-0000-7000-8000-000000000000'
    expect((await refused({ issue_id, type: 'fix', decision_id: unknown })).status).toBe(404)
    expect((await refused({ issue_id, type: 'fix', sample_ids: [unknown] })).status).toBe(404)
  })
})

test('coverage counts capabilities, and names critical issues without a task in the suite', async () => {
  const { client } = service
  const { id: outside, tasks } = await opened({ title: 'outside', tasks: [task(passing)] })
  const { id: inside } = await opened({ title: 'inside', tasks: [task(failing)] })
  const low = await opened({ title: 'low', severity: 'low' })
  const task_selections = [{ source_ref, split: 'test' as const, task_ids: [failing.task_id] }]
  const groups = [{ key: 'g', title: 'G', weight: 1, capabilities: ['addition'], selection: { task_selections } }]
  const suite = await client.call('createReleaseSuite', { body: { name: 's', groups } })
  const coverage = await client.call('getReleaseCoverage', { params: { suite_id: suite.id } })
  expect(coverage.capabilities).toContainEqual({ capability: 'addition', tasks: 1, minimum_detectable_difference: null })
  expect(coverage.untagged_tasks).toBe(0)
  expect(coverage.uncovered_critical).toContain(outside)
  expect(coverage.uncovered_critical).not.toContain(inside)
  expect(coverage.issues.find(({ id }) => id === inside)).toMatchObject({ linked: 1, in_suite: 1, last_result: null })
  expect(coverage.issues.find(({ id }) => id === outside)).toMatchObject({ linked: tasks.length, in_suite: 0 })
  expect(coverage.issues.at(-1)?.id).toBe(low.id)
  expect((await client.refusal('getReleaseCoverage', { params: { suite_id: outside } })).status).toBe(404)
  expect((await client.call('listReleaseAssets', { query: {} })).items).toMatchObject([{ kind: 'suite', id: suite.id }])
})
