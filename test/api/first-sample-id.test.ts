import { randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Sample } from '../../src/contract/runs/samples.schemas.ts'
import type { ModelServer } from '../journeys/model-server/server.ts'
import { profileId } from '../support/runs.ts'
import { scriptedRun } from '../support/scripted-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let models: ModelServer
/** The run's id, which its first sample had as well until 22 November 2026. */
let oldId: string
let first: Sample
let sourceRef: string

beforeAll(async () => {
  service = await startTestService()
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const { run, models: scripted } = await scriptedRun(service, profile, {})
  models = scripted
  oldId = run.id
  sourceRef = run.profiles[0]?.source_ref ?? ''
  const { items } = await service.client.call('listSamples', { params: { run_id: oldId } })
  if (!items[0]) throw new Error('The run has no samples.')
  first = items[0]
})
afterAll(async () => {
  await service.close()
  await models.close()
})

const params = () => ({ run_id: oldId })

describe('the first sample’s old id', () => {
  test('is another one than it has now', () => expect(first.id).not.toBe(oldId))

  test('opens the sample, in either case, and shows the present id', async () => {
    for (const sample_id of [oldId, oldId.toUpperCase()])
      expect(await service.client.call('getSample', { params: { ...params(), sample_id } })).toMatchObject({ id: first.id, position: 0 })
  })

  test('opens the sample for agents', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    const requestInit = { headers: { authorization: `Bearer ${service.file.api_key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit }))
    const { content } = await client.callTool({ name: 'get_sample', arguments: { ...params(), sample_id: oldId } })
    await client.close()
    expect(JSON.parse(z.tuple([z.object({ text: z.string() })]).parse(content)[0].text)).toMatchObject({ sample_id: first.id })
  })

  test('takes notes, tags and bookmarks that show under the present one', async () => {
    await service.client.call('createNote', { params: params(), body: { sample_id: oldId, note: 'by the old id' } })
    await service.client.call('changeAnnotations', { params: params(), body: { sample_ids: [oldId], bookmarked: true, add_tags: ['old'] } })
    const read = (sample_id: string) => service.client.call('getAnnotations', { params: params(), query: { sample_id } })
    expect(await read(first.id)).toMatchObject({
      bookmark: {},
      tags: [{ tag: 'old' }],
      notes: [{ note: 'by the old id', sample_id: first.id }],
    })
    expect(await read(oldId)).toEqual(await read(first.id))
  })

  test('takes verdicts that are listed under both ids and kept under the present one', async () => {
    const target = { ...params(), sample_id: oldId }
    const label = await service.client.call('createReleaseLabel', { body: { target, verdict: 'pass', rationale: 'right' } })
    expect(label.target).toEqual({ ...params(), sample_id: first.id })
    for (const sample_id of [oldId, first.id]) {
      const { items } = await service.client.call('listReleaseLabels', { query: { ...params(), sample_id, limit: 10 } })
      expect(items.map(({ id }) => id)).toEqual([label.id])
    }
  })

  test('is evidence of an issue', async () => {
    const tasks = [{ source_ref: sourceRef, task_id: first.task_id }]
    const body = { type: 'open' as const, title: 'Adds wrong', severity: 'low' as const, tasks, sample_ids: [oldId] }
    expect((await service.client.call('createIssueEvent', { body })).event.sample_ids).toEqual([first.id])
  })

  test('adds the sample to a dataset', async () => {
    const { id } = await service.client.call('createDataset', { body: { name: randomUUID(), task: 'answer' } })
    const body = { ...params(), sample_ids: [oldId] }
    expect(await service.client.call('addExamplesFromRun', { params: { dataset_id: id }, body })).toMatchObject({ created: 1, skipped: [] })
  })

  test('is retried once when both ids are named', async () => {
    const part = await service.client.call('retrySamples', { params: params(), body: { sample_ids: [oldId, first.id] } })
    const { items } = await service.client.call('listSamples', { params: { run_id: part.id } })
    expect(items.map(({ position }) => position)).toEqual([0])
  })
})
