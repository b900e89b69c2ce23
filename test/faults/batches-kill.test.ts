import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchedUsage, type BatchProvider, startBatchProvider } from '../support/batch-provider.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'

const samples = 40
let provider: BatchProvider
const folder = temporaryFolder()
beforeAll(async () => {
  provider = await startBatchProvider('openai')
})
afterAll(async () => {
  await provider.close()
  folder.remove()
})

const batchesOf = async ({ client }: ChildService, id: string) => (await client.call('listRunBatches', { params: { run_id: id } })).items

test('a run whose service is killed while its batch is at the provider, and while its answers are stored, asks each call once', async () => {
  let service = await startChildService(folder.path)
  const { id: connectionId } = await service.client.call('createConnection', {
    body: {
      name: 'batched',
      base_url: provider.baseUrl,
      model: 'm',
      rates: { input_microusd_per_million: '2000000', output_microusd_per_million: '2000000' },
    },
  })
  await service.client.call('checkConnection', { params: { connection_id: connectionId } })
  const { id: quoteId } = await quote(service.client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: samples, seed: 1 },
    execution: { mode: 'batch' },
  })
  provider.finish(false)
  const { id } = await submit(service.client, quoteId)
  await expect.poll(async () => (await batchesOf(service, id)).map(({ state }) => state)).toEqual(['submitted'])
  await service.kill()
  service = await startChildService(folder.path)
  provider.finish(true)
  // The first answers are stored, others perhaps not.
  await expect.poll(async () => (await service.client.call('getRun', { params: { run_id: id } })).progress.completed).toBeGreaterThan(0)
  await service.kill()
  service = await startChildService(folder.path)
  const run = await runToEnd(service.client, service.baseUrl, id)
  expect(run).toMatchObject({ status: 'complete', progress: { completed: samples } })
  expect(run.accounting.provider_billed_microusd).toBe(String(samples * (batchedUsage.prompt + batchedUsage.answer)))
  expect(provider.batches.map(({ customIds }) => customIds.length)).toEqual([samples])
  await service.kill()
})
