import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function drafted(name: string, text: string) {
  const { client } = service
  const files = [{ name, content: Buffer.from(text).toString('base64') }]
  const { id, job_id } = await client.call('startEnvironmentDraft', { body: { files, title: 'Desk' } })
  await vi.waitFor(async () => expect((await client.call('getJob', { params: { job_id } })).state).toMatch(/succeeded|failed/), 60_000)
  const job = await client.call('getJob', { params: { job_id } })
  return { job, worlds: (await client.call('getEnvironmentDraft', { params: { environment_draft_id: id } })).worlds }
}

const config = `
prompts: ["Answer {{q}}."]
providers: [openai:gpt-5-mini]
tests:
  - vars: {q: "the first"}
    metadata: {conversationId: one}
    assert: [{type: icontains, value: first}, {type: latency, threshold: 5000}]
  - vars: {q: "the second"}
    metadata: {conversationId: one}
`

test('a promptfoo configuration becomes a world, and what is not imported is named', async () => {
  const { job, worlds } = await drafted('promptfooconfig.yaml', config)
  expect(job).toMatchObject({ state: 'succeeded' })
  expect(worlds).toMatchObject([{ slug: 'desk', definition: { title: 'Desk', tasks: [{}] } }])
  expect(JSON.stringify(worlds?.[0]?.left_out)).toContain('latency')
})

test('files that cannot be imported fail with what is wrong', async () => {
  const { job, worlds } = await drafted('data.zip', 'no archive')
  expect(job).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('data.zip') } })
  expect(worlds).toBeNull()
})
