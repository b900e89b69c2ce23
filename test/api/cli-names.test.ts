import { afterAll, beforeAll, expect, test } from 'vitest'
import { assayHere } from '../support/assay-here.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const here = (...args: string[]) => assayHere([...args, '--model', 'assay/echo', '--quiet', '--data-dir', service.dataDir])

/** A suite of two tasks; answers its id. */
async function makeSuite(name: string): Promise<string> {
  const { latest_version } = await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  const source_ref = latest_version?.source_ref ?? ''
  const { items } = await service.client.call('listTasks', { query: { source_ref, limit: 2 } })
  const task_selections = [{ source_ref, split: items[0]?.split ?? 'test', task_ids: items.map(({ task_id: id }) => id) }]
  return (await service.client.call('createSuite', { body: { name, task_selections } })).id
}

test('a baseline and a suite are named by what only one is called, and those that share a name are listed', async () => {
  const id = await makeSuite('Two sums')
  expect(await here('run', '--suite', 'Two sums', '--name', 'before', '--wait')).toMatchObject({ code: 0 })
  const gates = ['--baseline', 'before', '--no-regression', '--fixed-tasks']
  expect(await here('run', '--suite', 'Two sums', '--name', 'after', ...gates)).toMatchObject({ code: 0 })
  const unknown = await here('run', '--suite', 'Three sums')
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('No suite has the id or name "Three sums"') as string })
  const other = await makeSuite('Two sums')
  const { code, err } = await here('run', '--suite', 'Two sums')
  expect(code).toBe(2)
  for (const part of ['2 suites are called "Two sums"', id, other]) expect(err).toContain(part)
})
