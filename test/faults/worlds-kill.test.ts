import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullGroup } from '../../src/engine/execution/scheduler/journal.ts'
import { type ChildService, startChildService } from '../support/child-service.ts'
import { deskAgent, deskWorld } from '../support/desk-world.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'
import { startToolModel, type ToolModel } from '../support/tool-model.ts'

/** `npm run test:faults` plays 1,020 episodes through 50 kills. */
const kills = Number(process.env['ASSAY_KILLS'] ?? 2)
const epochs = kills > 10 ? 17 : 1
const episodes = 60 * epochs
const concurrency = 4

let model: ToolModel
const folder = temporaryFolder()
beforeAll(async () => {
  model = await startToolModel(deskAgent(null))
})
afterAll(async () => {
  await model.close()
  folder.remove()
})

const completedOf = async ({ client }: ChildService, id: string) =>
  (await client.call('getRun', { params: { run_id: id } })).progress.completed

test(`${episodes} episodes are each played to their end once, through ${kills} kills`, async () => {
  let service = await startChildService(folder.path)
  const { client } = service
  const made = await client.call('createEnvironment', { body: deskWorld('desk') })
  const { id: connectionId } = await client.call('createConnection', {
    body: { name: 'agent', base_url: model.baseUrl, model: 'agent', probes: ['tools'], limits: { max_concurrency: concurrency } },
  })
  await client.call('checkConnection', { params: { connection_id: connectionId } })
  const before = model.calls()
  const { id: quoteId } = await quote(client, {
    model: { kind: 'connection', connection_id: connectionId },
    profiles: made.profile_ids.slice(1),
    execution: { epochs, concurrency },
  })
  const { id } = await submit(client, quoteId)
  for (let kill = 1; kill <= kills; kill++) {
    const wanted = Math.floor((kill * episodes) / (kills + 1))
    await expect.poll(() => completedOf(service, id), { interval: 5 }).toBeGreaterThanOrEqual(wanted)
    await service.kill()
    service = await startChildService(folder.path)
  }
  const run = await runToEnd(service.client, service.baseUrl, id)
  expect(run).toMatchObject({ status: 'complete', progress: { completed: episodes, failed: 0 } })
  const results = await service.client.call('getRunResults', { params: { run_id: id }, query: {} })
  expect(results.metrics[0]?.estimate).toMatchObject({ n: 60, mean: 1 })
  // Three kinds of tasks take three turns, two take two. An episode that a kill cut off is played again from its start; no other is.
  const turns = (3 * 12 * 3 + 2 * 12 * 2) * epochs
  const asked = model.calls() - before
  expect(asked).toBeGreaterThanOrEqual(turns)
  const cutOff = run.accounting.possibly_billed_twice
  expect(asked).toBeLessThanOrEqual(turns + 3 * cutOff)
  // In flight, or played within the group that was not yet durable.
  expect(cutOff).toBeLessThanOrEqual(kills * (concurrency + fullGroup))
  await service.kill()
})
