import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { jsonLines } from '../support/bfcl-data.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { temporaryFolder } from '../support/service.ts'

const { tasks, ...world } = worldsExamples.createEnvironment
const [task] = tasks
const count = 200

const files = [
  { name: 'world.yaml', text: stringify(world) },
  { name: 'tasks.jsonl', text: jsonLines(...Array.from({ length: count }, (_, i) => ({ ...task, id: `task ${i + 1}` }))) },
].map(({ name, text }) => ({ name, content: Buffer.from(text).toString('base64') }))

const jobOf = ({ client }: ChildService, job_id: string) => client.call('getJob', { params: { job_id } })

test('a draft is made again after SIGKILL, once, and holds every task', async () => {
  const folder = temporaryFolder()
  let service = await startChildService(folder.path, [], 'draft:1')
  const { id, job_id } = await service.client.call('startEnvironmentDraft', { body: { files } })
  expect(await service.gone).toBe('SIGKILL')

  service = await startChildService(folder.path)
  await expect.poll(async () => (await jobOf(service, job_id)).state).toBe('succeeded')
  expect(await jobOf(service, job_id)).toMatchObject({ attempt: 2 })
  const { worlds } = await service.client.call('getEnvironmentDraft', { params: { environment_draft_id: id } })
  expect(worlds).toHaveLength(1)
  expect(worlds?.[0]?.tasks.map(({ task_id: of, status }) => `${of} ${status}`)).toEqual(
    Array.from({ length: count }, (_, i) => `task ${i + 1} passed`),
  )
  const { items } = await service.client.call('listJobs', { query: { limit: 20 } })
  expect(items.filter(({ kind }) => kind === 'world_draft')).toHaveLength(1)
  await service.kill()
  folder.remove()
})
