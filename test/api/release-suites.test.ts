import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { TaskMetadata } from '../../src/contract/catalog/tasks.schemas.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import { startTestService, type TestService } from '../support/service.ts'

type NewSuite = NonNullable<Request<Api['createReleaseSuite']>['body']>
type NewPolicy = NonNullable<Request<Api['createReleasePolicy']>['body']>

let service: TestService
let source: string
let tasks: readonly TaskMetadata[]

beforeAll(async () => {
  service = await startTestService()
  const { latest_version } = await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  source = latest_version?.source_ref ?? ''
  tasks = (await service.client.call('listTasks', { query: { source_ref: source, limit: 20 } })).items
  groups = [
    { key: 'easy', title: 'Easy', weight: 1, selection: selection(0, 4) },
    { key: 'hard', title: 'Hard', weight: 3, critical: true, selection: selection(4, 10) },
  ]
})
afterAll(() => service.close())

const selection = (from: number, to: number) => ({
  task_selections: [{ source_ref: source, split: 'test' as const, task_ids: tasks.slice(from, to).map(task => task.task_id) }],
})
let groups: NewSuite['groups']
const make = (body: Partial<NewSuite> = {}) => service.client.call('createReleaseSuite', { body: { name: 'Math', groups, ...body } })
const refused = (body: Partial<NewSuite>) => service.client.refusal('createReleaseSuite', { body: { name: 'Math', groups, ...body } })

describe('a release suite', () => {
  test('keeps groups of exact tasks, with a digest over what they are', async () => {
    const suite = await make()
    expect(suite).toMatchObject({ suite_id: suite.id, version: 1, previous_version_id: null, tasks: 10 })
    expect(suite.groups.map(({ key, weight, critical, tasks: n }) => [key, weight, critical, n])).toEqual([
      ['easy', 1, false, 4],
      ['hard', 3, true, 6],
    ])
    expect(suite.groups[1]?.task_selections[0]?.task_ids).toEqual(tasks.slice(4, 10).map(task => task.task_id))
    expect((await make({ name: 'Same tasks' })).digest).toBe(suite.digest)
    const [easy] = groups
    expect((await make({ groups: easy ? [{ ...easy, weight: 2 }] : [] })).digest).not.toBe(suite.digest)
  })

  test('takes the tasks of an exact-task suite', async () => {
    const exact = await service.client.call('createSuite', { body: { name: 'Three', ...selection(0, 3) } })
    const suite = await make({ groups: [{ key: 'all', title: 'All', weight: 1, selection: { suite_version_id: exact.id } }] })
    expect(suite.groups[0]).toMatchObject({ suite_version_id: exact.id, tasks: 3, task_selections: exact.task_selections })
  })

  test('is followed by one next version', async () => {
    const first = await make()
    const second = await make({ previous_version_id: first.id })
    expect(second).toMatchObject({ suite_id: first.id, version: 2, previous_version_id: first.id })
    expect((await refused({ previous_version_id: first.id })).code).toBe('conflict')
    expect((await refused({ previous_version_id: crypto.randomUUID() })).code).toBe('not_found')
  })

  test('refuses a task in two groups, equal keys, no weight and unknown tasks, each at its place', async () => {
    const twice = await refused({ groups: groups.map(group => ({ ...group, selection: selection(0, 4) })) })
    expect(twice).toMatchObject({ status: 422, detail: [{ loc: ['body', 'groups', 1, 'selection'], type: 'duplicate_task' }] })
    const odd = await refused({ groups: groups.map(group => ({ ...group, profile_id: 'no-such@1:profile' })) })
    expect(odd).toMatchObject({ status: 422, detail: [{ loc: ['body', 'groups', 0, 'profile_id'] }] })
    expect((await refused({ groups: groups.map(group => ({ ...group, key: 'one' })) })).detail[0]?.loc).toEqual([
      'body',
      'groups',
      1,
      'key',
    ])
    expect((await refused({ groups: groups.map(group => ({ ...group, weight: 0 })) })).code).toBe('validation_error')
    const unknown = {
      key: 'a',
      title: 'A',
      weight: 1,
      selection: { task_selections: [{ source_ref: source, split: 'test' as const, task_ids: ['none'] }] },
    }
    expect(await refused({ groups: [unknown] })).toMatchObject({
      code: 'task_unavailable',
      detail: [{ loc: ['body', 'groups', 0, 'selection', 'task_selections', 0, 'task_ids', 0] }],
    })
  })
})

describe('a release policy', () => {
  const rules: NewPolicy['rules'] = [{ kind: 'min_score', key: 'score', threshold: 0.8 }]
  const policy = (body: Partial<NewPolicy> = {}) => service.client.call('createReleasePolicy', { body: { name: 'Ship', rules, ...body } })
  const refusedPolicy = (body: Partial<NewPolicy>) =>
    service.client.refusal('createReleasePolicy', { body: { name: 'Ship', rules, ...body } })

  test('states every default and has a digest over its terms', async () => {
    const made = await policy()
    expect(made).toMatchObject({
      confidence: 0.95,
      looks: 1,
      repeat: 'record',
      human: { required: true, approvals: 1, not_author: false, override: 'never' },
      rules: [{ kind: 'min_score', key: 'score', group: null, metric: null, required: true, basis: 'bound', source: 'runs' }],
    })
    expect((await policy({ name: 'Another name' })).digest).toBe(made.digest)
    expect((await policy({ confidence: 0.9 })).digest).not.toBe(made.digest)
    expect(await policy({ previous_version_id: made.id })).toMatchObject({ policy_id: made.id, version: 2 })
    expect((await refusedPolicy({ previous_version_id: made.id })).code).toBe('conflict')
  })

  test('refuses rules that contradict each other', async () => {
    expect((await refusedPolicy({ rules: [...rules, ...rules] })).detail[0]?.loc).toEqual(['body', 'rules', 1, 'key'])
    expect((await refusedPolicy({ rules: [{ kind: 'max_cost', key: 'a', max_microusd_per_task: '5', source: 'external' }] })).status).toBe(
      422,
    )
    expect((await refusedPolicy({ rules: [{ kind: 'min_labels', key: 'a', min_n: 5, any_of: 'x' }] })).status).toBe(422)
    expect((await refusedPolicy({ rules: [{ kind: 'non_inferiority', key: 'a', margin: 0 }] })).status).toBe(422)
    // Nothing required would approve whatever the results are.
    expect((await refusedPolicy({ rules: rules.map(rule => ({ ...rule, required: false })) })).detail[0]?.loc).toEqual(['body', 'rules'])
  })
})
