import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AnswerImport } from '../../src/contract/answers/answers.schemas.ts'
import { answersEnd, importAnswers, sendAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { profileId } from '../support/runs.ts'
import { prepareData } from '../support/prepared-data.ts'
import { startTestService, temporaryFolder, type TestService } from '../support/service.ts'

const count = 6000
const tasks = Array.from({ length: count }, (_, i) =>
  JSON.stringify({ id: `t${i}`, question: `What is ${i} plus 1?`, answer: String(i + 1) }),
)
const outputs = [
  { name: 'outputs.jsonl', content: tasks.map((_, i) => JSON.stringify({ task_id: `t${i}`, output: String(i + (i % 2)) })).join('\n') },
]

async function withTasks(service: TestService): Promise<string> {
  await importFiles(service, { format: 'jsonl', name: 'Many' }, [{ name: 'many.jsonl', content: tasks.join('\n') }])
  return profileId(service.client, 'many', 'zero-shot')
}

/** Waits until outputs are being stored, so that what follows meets them half way. */
async function storing(service: TestService, id: string): Promise<void> {
  for (;;) {
    const { job_id, status } = await service.client.call('getAnswerImport', { params: { answer_import_id: id } })
    const { progress } = await service.client.call('getJob', { params: { job_id } })
    if (progress || status !== 'validating') return
    await setTimeout(5)
  }
}

async function send(service: TestService, profile: string): Promise<string> {
  const reply = await sendAnswers(service, { profile_id: profile, model: 'm' }, outputs)
  return ((await reply.json()) as AnswerImport).id // answers.test.ts checks the shape
}

const runs = async (service: TestService) => (await service.client.call('listRuns', { query: {} })).items

test('an import that is cancelled half way leaves no run, and can be sent again', async () => {
  await using service = await startTestService()
  const profile = await withTasks(service)
  const id = await send(service, profile)
  await storing(service, id)
  const { job_id } = await service.client.call('getAnswerImport', { params: { answer_import_id: id } })
  await service.client.call('cancelJob', { params: { job_id } })
  const record = await answersEnd(service, id)
  expect(record).toMatchObject({ status: 'failed', runs: [], error_count: 1 })
  expect(await runs(service)).toEqual([])
  const again = await importAnswers(service, { profile_id: profile, model: 'm' }, outputs)
  expect(again).toMatchObject({ status: 'imported', rows: { matched: count } })
  expect(await runs(service)).toHaveLength(1)
})

test('an import that the service’s stop cut off is finished by the next start, once', async () => {
  const folder = temporaryFolder()
  prepareData(folder.path)
  let id = ''
  {
    await using service = await startTestService({ dataDir: folder.path })
    id = await send(service, await withTasks(service))
    await storing(service, id)
  }
  await using service = await startTestService({ dataDir: folder.path })
  const record = await answersEnd(service, id)
  expect(record).toMatchObject({ status: 'imported', rows: { matched: count } })
  const [run, second] = await runs(service)
  expect(second).toBeUndefined()
  expect(run).toMatchObject({ id: record.runs[0]?.run_id, status: 'complete', progress: { frozen: count, scored: count } })
  await service.close()
  folder.remove()
})
