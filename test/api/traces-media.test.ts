import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { makePng } from '../support/media.ts'
import { recordSpans } from '../support/otlp.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { connect, resourcesOf, startProvider } from '../support/trace-providers/connected.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

// Larger than a text of an attribute may be.
const large = makePng([9, 8, 7], { width: 64, height: 64, extra: [['prVt', Buffer.alloc(1_200_000, 7)]] })
const messages = (bytes: Buffer) =>
  JSON.stringify([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` } },
      ],
    },
  ])

async function sent(name: string, bytes: Buffer): Promise<string> {
  const { authorization = '' } = service.keyClient.headers
  const exporter = new ProtobufExporter({
    url: `${service.baseUrl}/v1/traces`,
    headers: { authorization, 'x-workspace-id': service.workspaceId },
  })
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages(bytes) }
  await recordSpans([{ name, attributes }], exporter)
  const { items } = await service.client.call('listTraces', { query: { q: name, limit: 10 } })
  return items[0]?.id ?? ''
}

async function shownIn(traceId: string) {
  const { spans } = await service.client.call('getTrace', { params: { trace_id: traceId }, query: {} })
  return spans[0]?.input_messages
}

describe('a trace with a picture', () => {
  test('is shown with it, whatever its size; the file is stored once and read as it was sent', async () => {
    const [first, second] = [await sent('picture', large), await sent('again', large)]
    const shown = await shownIn(first)
    expect(shown).toEqual([{ role: 'user', content: 'What is it?', media: [{ type: 'image', media: expect.stringMatching(/^sha256:/) }] }])
    expect(await shownIn(second)).toEqual(shown)
    const digest = shown?.[0]?.media?.[0]?.media ?? ''
    const reply = await service.fetch(`/v1/media/${digest}`)
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(large)
  })

  test('becomes an example with it, which keeps the file when the trace is deleted', async () => {
    const bytes = makePng([1, 1, 1], { width: 33 })
    const trace = await sent('copied', bytes)
    const left = await sent('left', makePng([2, 2, 2], { width: 34 }))
    const digest = (await shownIn(trace))?.[0]?.media?.[0]?.media ?? ''
    const gone = (await shownIn(left))?.[0]?.media?.[0]?.media ?? ''
    const { id } = await service.client.call('createDataset', { body: { name: 'Of traces', task: 'answer' } })
    const { examples } = await service.client.call('addTraceSource', { params: { dataset_id: id }, body: { trace_ids: [trace] } })
    expect(examples[0]?.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', media: digest },
          { type: 'text', text: 'What is it?' },
        ],
      },
    ])
    await service.restart(() => {
      const db = openDatabase(`${service.dataDir}/assay.db`)
      db.run(db.sql.deleteFrom('spans'))
      db.run(db.sql.deleteFrom('traces'))
      db.close()
    })
    await expect
      .poll(async () => (await service.client.call('listJobs', { query: { kind: 'media_cleanup' } })).items[0]?.state)
      .toBe('succeeded')
    const path = (of: string) => join(service.dataDir, 'media', of.slice(7, 9), of.slice(7))
    expect((await service.fetch(`/v1/media/${digest}`)).status).toBe(200)
    expect((await service.fetch(`/v1/media/${gone}`)).status).toBe(404)
    expect([existsSync(path(digest)), existsSync(path(gone))]).toEqual([true, false])
  })
})

test('items of a provider’s dataset keep their pictures, whatever their size, for as long as the examples', async () => {
  const answer = makePng([3, 4, 5])
  const item = {
    id: 'one',
    status: 'ACTIVE',
    input: (JSON.parse(messages(large)) as unknown[]).concat({ role: 'tool', content: [{ type: 'tool_result', content: [] }] }),
    expectedOutput: 'Grey',
    metadata: { drawn: answer.toString('base64') },
    datasetId: 'x',
    datasetName: 'x',
  }
  const server = await startProvider('langfuse', [], [])
  server.intercept = ({ path }) =>
    path.includes('dataset-items')
      ? { status: 200, body: { data: [item], meta: { page: 1, limit: 100, totalItems: 1, totalPages: 1 } } }
      : null
  const { id: integration_id } = await connect(service.client, 'langfuse', server.url)
  const { id } = await service.client.call('createDataset', { body: { name: 'Of a provider', task: 'answer' } })
  const add = () =>
    service.client.call('addWorkloadSource', {
      params: { dataset_id: id },
      body: { integration_id, kind: 'dataset', resource_id: resourcesOf.langfuse.dataset },
    })
  expect((await add()).source).toMatchObject({ created: 1, skipped: [] })
  const { items } = await service.client.call('listExamples', { params: { dataset_id: id } })
  const [text, media] = [{ type: 'text', text: 'What is it?' }, expect.stringMatching(/^sha256:/)]
  expect(items[0]?.input).toEqual([
    { role: 'user', content: [text, { type: 'image', media }] },
    { role: 'tool', content: [{ type: 'tool_result', content: [] }] },
  ])
  const digests = JSON.stringify(items[0]).match(/sha256:[0-9a-f]{64}/g) ?? []
  const bytes = await Promise.all(
    digests.map(async digest => Buffer.from(await (await service.fetch(`/v1/media/${digest}`)).arrayBuffer())),
  )
  expect(bytes).toEqual([large, answer])
  expect((await add()).source).toMatchObject({ created: 0, unchanged: 1 })
  await server.close()
})
