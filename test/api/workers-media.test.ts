import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makePng } from '../support/media.ts'
import { type Postgres, postgresMissing, startPostgres } from '../support/postgres.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'
import { type ChildWorker, startWorker, workerKey } from '../support/worker.ts'
import { importToEnd } from './imports-upload.ts'

const Body = z.object({
  messages: z.array(
    z.object({ content: z.union([z.string(), z.array(z.looseObject({ image_url: z.object({ url: z.string() }).optional() }))]) }),
  ),
})
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe.skipIf(postgresMissing !== null)(`pictures at workers${postgresMissing === null ? '' : ` (skipped: ${postgresMissing})`}`, () => {
  const keys = new Set<string>()
  const model = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(404).end()
      keys.add(request.headers.authorization ?? 'none')
      const { messages } = Body.parse(JSON.parse(Buffer.concat(chunks).toString()))
      const [url] = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.flatMap(part => part.image_url?.url ?? []),
      )
      const content = url === undefined ? 'ok' : sha256(Buffer.from(url.replace('data:image/png;base64,', ''), 'base64'))
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      )
    })
  }).listen(0, '127.0.0.1')
  let postgres: Postgres
  let service: TestService
  let worker: ChildWorker
  let connection = ''
  let key = ''

  beforeAll(async () => {
    if (!model.listening) await once(model, 'listening')
    const { port } = model.address() as AddressInfo // it listens on a port
    postgres = await startPostgres()
    service = await startTestService({ queue: postgres.url })
    const body = { name: 'theirs', base_url: `http://127.0.0.1:${port}/v1`, model: 'm', api_key: 'key-of-the-service' }
    connection = (await service.client.call('createConnection', { body })).id
    await service.client.call('checkConnection', { params: { connection_id: connection } })
    key = await workerKey(service.client)
    worker = await startWorker({
      name: 'seer',
      join: service.baseUrl,
      queue: postgres.url,
      key,
      args: [`--labels=model.${connection}`, '--slots=8', '--secret-env=OWN_KEY', `--secret-origin=http://127.0.0.1:${port}`],
      env: { OWN_KEY: 'key-of-the-worker' },
    })
  })
  afterAll(async () => {
    await worker.kill()
    await service.close()
    await postgres.close()
    model.closeAllConnections()
    model.close()
  })

  test('are read by their digest, and reach the model as the bytes that were stored', async () => {
    // Every picture is shown by two tasks.
    const pictures = Array.from({ length: 10 }, (_, i) => makePng([i, 2, 3], { width: 20 + i }))
    const rows = [...pictures, ...pictures].map((bytes, i) => ({
      id: `t${i}`,
      question: `Digest ${i}?`,
      answer: sha256(bytes),
      image: `data:image/png;base64,${bytes.toString('base64')}`,
    }))
    const { status } = await importToEnd(service, {
      fields: { format: 'jsonl', name: 'Far' },
      files: [{ name: 'd.jsonl', content: rows.map(row => JSON.stringify(row)).join('\n') }],
    })
    expect(status).toBe('imported')
    keys.clear()
    const quoted = await quote(service.client, {
      model: { kind: 'connection', connection_id: connection },
      profiles: [await profileId(service.client, 'far', 'zero-shot')],
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoted.id)).id)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id }, query: {} })
    expect(metrics[0]?.estimate).toMatchObject({ n: 20, mean: 1 })
    expect([...keys]).toEqual(['Bearer key-of-the-worker'])
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
    const params = { run_id: run.id, sample_id: items[0]?.id ?? '' }
    expect((await service.client.call('getSample', { params })).messages[0]?.content).toContainEqual({
      type: 'image',
      media: items[0]?.images[0],
    })
  })

  test('reach the model resized where the profile has a limit, and each sample names both files', async () => {
    const picture = makePng([9, 8, 7], { width: 30, height: 16 })
    const row = { id: 'w', question: 'Digest?', answer: 'x', image: `data:image/png;base64,${picture.toString('base64')}` }
    const { status } = await importToEnd(service, {
      fields: { format: 'jsonl', name: 'Far and small', profile: JSON.stringify({ max_image_pixels: 256 }) },
      files: [{ name: 'd.jsonl', content: JSON.stringify(row) }],
    })
    expect(status).toBe('imported')
    keys.clear()
    const quoted = await quote(service.client, {
      model: { kind: 'connection', connection_id: connection },
      profiles: [await profileId(service.client, 'far-and-small', 'zero-shot')],
    })
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoted.id, 'small')).id)
    expect([...keys]).toEqual(['Bearer key-of-the-worker'])
    const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
    const sample = await service.client.call('getSample', { params: { run_id: run.id, sample_id: items[0]?.id ?? '' } })
    // The model answers with the digest of what it was sent.
    const sent = `sha256:${sample.output}`
    const [attempt] = sample.attempt_log
    expect(attempt?.notes).toEqual([
      {
        code: 'image_resized',
        message: `The image sha256:${sha256(picture)} was resized to at most 256 pixels (max_image_pixels) and sent as ${sent}.`,
      },
    ])
    const bytes = Buffer.from(await (await service.fetch(`/v1/media/${sent}`)).arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([21, 11])
    expect(attempt?.request).toContain(bytes.toString('base64'))
  })

  test('are not read by a worker that holds no call with them', async () => {
    const { items } = await service.client.call('listWorkers', {})
    const digest = `sha256:${sha256(makePng([0, 2, 3], { width: 20 }))}`
    const machine = clientFor(service.baseUrl, key, service.workspaceId)
    expect((await service.fetch(`/v1/media/${digest}`)).status).toBe(200)
    const address = `/v1/workers/${items[0]?.id ?? ''}/batches/0197a1de-0000-7000-8000-000000000001/media/${digest}`
    const refused = await fetch(service.baseUrl + address, { headers: machine.headers })
    expect(refused.status).toBe(404)
  })
})
