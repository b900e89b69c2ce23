import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deskAgent, deskWorld, type Fault, planted } from '../support/desk-world.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startToolModel, type ToolModel } from '../support/tool-model.ts'

let service: TestService
let profileId: string
const models: ToolModel[] = []
beforeAll(async () => {
  service = await startTestService()
  const { slug: _, ...definition } = deskWorld('desk')
  const checked = await service.client.call('checkEnvironment', { body: { definition } })
  expect(checked.tasks.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(checked.passed).toBe(60)
  const made = await service.client.call('createEnvironment', { body: deskWorld('desk') })
  expect(made).toMatchObject({ tool_count: 12, task_count: 60 })
  profileId = made.profile_ids[1] ?? ''
})
afterAll(async () => {
  await service.close()
  await Promise.all(models.map(model => model.close()))
})

async function failed(fault: Fault | null) {
  const { client, baseUrl } = service
  const model = await startToolModel(deskAgent(fault))
  models.push(model)
  const { id } = await client.call('createConnection', {
    body: { name: `agent ${models.length}`, protocol: 'openai_chat', base_url: model.baseUrl, model: 'agent', probes: ['tools'] },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  const { id: quoteId } = await quote(client, { model: { kind: 'connection', connection_id: id }, profiles: [profileId] })
  const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
  const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100 } })
  expect(items).toHaveLength(60)
  const wrong = items.filter(({ passed }) => passed !== true)
  const details = await Promise.all(wrong.map(item => client.call('getSample', { params: { run_id: run.id, sample_id: item.id } })))
  return details
    .map(({ task_id: id, score_details: [score] }) => ({ id, value: score?.value, why: score?.explanation ?? '' }))
    .toSorted((a, b) => a.id.localeCompare(b.id))
}

describe('a desk with 12 tools and 60 tasks', () => {
  test('is solved by a model without a fault', async () => {
    expect(await failed(null)).toEqual([])
  })

  test.each<[Fault, RegExp]>([
    ['skips the check', /Turn \d.*verif/],
    ['invents an order number', /Turn \d.*(cancel_order|status)/],
    ['obeys an injected instruction', /Turn 2:.*refund_order/],
  ])('fails exactly the planted tasks of a model that %s, and says where', async (fault, reason) => {
    const found = await failed(fault)
    expect(found.map(({ id }) => id)).toEqual(planted[fault].toSorted((a, b) => a.localeCompare(b)))
    for (const { value, why } of found) {
      expect(value).toBe(0)
      expect(why).toMatch(reason)
    }
  })
})
