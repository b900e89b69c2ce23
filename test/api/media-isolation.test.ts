import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MediaFile } from '../../src/contract/media/media.schemas.ts'
import { listen, type RunningServer } from '../journeys/model-server/listen.ts'
import { strangerTo, type Stranger } from '../support/fill-workspace.ts'
import { importAnswers } from '../support/answers.ts'
import { calibrated, labeledVersion, saveJudge } from '../support/judging.ts'
import { makePng } from '../support/media.ts'
import { openZip } from '../../src/engine/archives/read-zip.ts'
import { quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { connect, resourcesOf, startProvider } from '../support/trace-providers/connected.ts'
import { newSession } from '../support/tuning.ts'

/** A picture of the first workspace alone. */
const secret = makePng([200, 10, 30], { width: 21 })
const base64 = secret.toString('base64')

let service: TestService
let stranger: Stranger
let model: RunningServer
let digest: string
/** Bodies that models of both workspaces were sent. */
const sent: string[] = []

beforeAll(async () => {
  service = await startTestService()
  stranger = await strangerTo(service)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    if (request.method !== 'POST') return void response.writeHead(404).end()
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      sent.push(Buffer.concat(chunks).toString())
      const choices = [{ index: 0, message: { role: 'assistant', content: 'VERDICT: pass' }, finish_reason: 'stop' }]
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }))
    })
  })
  model = await listen(server, 0)
  const form = new FormData()
  form.append('file', new Blob([secret]), 'secret.png')
  digest = MediaFile.parse(await (await service.fetch('/v1/media', { method: 'POST', body: form })).json()).digest
})
afterAll(async () => {
  await service.close()
  await model.close()
})

const asked = () => [
  { role: 'user', content: [{ type: 'image', media: digest } as const, { type: 'text', text: 'What does it show?' } as const] },
]

async function connectionOf(client: Stranger['client']): Promise<string> {
  const { id } = await client.call('createConnection', { body: { name: 'eyes', base_url: `${model.baseUrl}/v1`, model: 'eyes' } })
  await client.call('checkConnection', { params: { connection_id: id } })
  return id
}

/** A frozen version whose one example names the picture. */
async function namedIn(client: Stranger['client']) {
  return labeledVersion({ client, dataDir: service.dataDir }, { task: 'classify', labels: ['pass', 'fail'] }, [
    { input: asked(), output: 'A cat', expected: 'A cat', label: 'pass' },
  ])
}

/** What judges of a workspace were sent about its example that names the picture. */
async function shownToJudge(client: Stranger['client']): Promise<boolean> {
  const before = sent.length
  const { id } = await saveJudge(client, await connectionOf(client))
  const { versionId } = await namedIn(client)
  await calibrated(client, { evaluator_version_id: id, dataset_version_id: versionId, max_charge_microusd: '0' })
  return sent.slice(before).some(body => body.includes(base64))
}

describe('a workspace that names a picture of another by its digest', () => {
  test('shows it to no judge, whose own workspace does', async () => {
    expect(await shownToJudge(stranger.client)).toBe(false)
    expect(await shownToJudge(service.client)).toBe(true)
  })

  test('makes no run with it', async () => {
    const evaluator = { name: 'Same', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {} } } as const
    for (const [client, blocked] of [
      [stranger.client, true],
      [service.client, false],
    ] as const) {
      const { id } = await client.call('createEvaluator', { body: evaluator })
      const { datasetId, versionId } = await namedIn(client)
      const { profile_id: profile } = await client.call('createDatasetBenchmark', {
        params: { dataset_id: datasetId, version_id: versionId },
        body: { name: 'Named', evaluator_version_id: id },
      })
      const { compatibility } = await quote(client, {
        model: { kind: 'connection', connection_id: await connectionOf(client) },
        profiles: [profile],
      })
      expect(JSON.stringify(compatibility).includes('name files that are not stored')).toBe(blocked)
    }
  })

  test('exports none of its bytes: the zip, report, page and log of its own run name it and hold nothing of it', async () => {
    const evaluator = { name: 'Same text', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {} } } as const
    const exported = async (client: Stranger['client']) => {
      const { id } = await client.call('createEvaluator', { body: evaluator })
      const { datasetId, versionId } = await namedIn(client)
      const { profile_id: profile } = await client.call('createDatasetBenchmark', {
        params: { dataset_id: datasetId, version_id: versionId },
        body: { name: 'Named in an export', evaluator_version_id: id },
      })
      // Nothing is sent to a baseline, so that its run is made with a file that is not there.
      const { id: quoteId } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-100' }, profiles: [profile] })
      const run = await runToEnd(client, service.baseUrl, (await submit(client, quoteId)).id)
      const get = async (path: string, headers = client.headers) => {
        const reply = await fetch(`${service.baseUrl}/v1/runs/${run.id}/${path}`, { headers })
        return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
      }
      return { get, zip: openZip((await get('exports/zip')).bytes) }
    }
    const own = await exported(service.client)
    const file = `media/${digest.slice('sha256:'.length)}.png`
    expect(own.zip.read(file).equals(secret)).toBe(true)
    const theirs = await exported(stranger.client)
    expect(theirs.zip.names.filter(name => name.startsWith('media/'))).toEqual([])
    for (const path of ['export?format=html', 'exports/inspect', 'exports/parquet', 'exports/markdown']) {
      const { status, bytes } = await theirs.get(path)
      expect(status).toBe(200)
      expect(bytes.includes(base64) || bytes.includes(secret)).toBe(false)
    }
    for (const path of ['exports/zip', 'export?format=html', 'exports/inspect'])
      expect((await own.get(path, stranger.client.headers)).status).toBe(404)
  })

  test('tunes nothing with it and exports nothing of it', async () => {
    const { call, ...body } = newSession(0)
    const session = {
      ...body,
      call: { ...call, model: { kind: 'connection' as const, connection_id: await connectionOf(stranger.client) } },
      cases: [{ id: 'a', input: [{ type: 'image' as const, media: digest }], expected: 'x' }],
    }
    await expect(stranger.client.call('createTuneSession', { body: session as never })).rejects.toThrow(/does not have/)
  })

  test('reads nothing through a trace that names it', async () => {
    const span = {
      traceId: '0123456789abcdef0123456789abcdef',
      spanId: '0123456789abcdef',
      name: 'named',
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000001000000000',
      attributes: [{ key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify(asked()) } }],
    }
    const received = await fetch(`${service.baseUrl}/v1/traces`, {
      method: 'POST',
      headers: { ...stranger.client.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    })
    expect(received.status).toBe(200)
    const { items } = await stranger.client.call('listTraces', { query: { q: 'named', limit: 10 } })
    const { id } = await stranger.client.call('createDataset', { body: { name: 'Of traces', task: 'answer' } })
    await stranger.client.call('addTraceSource', { params: { dataset_id: id }, body: { trace_ids: [items[0]?.id ?? ''] } })
    const read = await fetch(`${service.baseUrl}/v1/media/${digest}`, { headers: stranger.client.headers })
    expect(read.status).toBe(404)
  })

  test('gets no thumbnail, no part and no word of it from a cache', async () => {
    const as = (headers: Record<string, string>, path = '') => fetch(`${service.baseUrl}/v1/media/${digest}${path}`, { headers })
    const own = await as(service.client.headers)
    expect(own.status).toBe(200)
    expect((await as(service.client.headers, '/thumbnail')).status).toBe(200)
    for (const more of [{}, { 'if-none-match': own.headers.get('etag') ?? '' }, { range: 'bytes=0-10' }])
      for (const path of ['', '/thumbnail', '/thumbnail?side=128'])
        expect((await as({ ...stranger.client.headers, ...more }, path)).status).toBe(404)
  })

  test('imports no log that names it', async () => {
    const shown = (id: string, image: string) => ({
      id,
      epoch: 1,
      input: [{ role: 'user', content: [{ type: 'image', image }] }],
      target: 'yes',
      output: { choices: [{ message: { role: 'assistant', content: 'yes' }, stop_reason: 'stop' }] },
      scores: { match: { value: 'C' } },
    })
    const log = {
      version: 2,
      status: 'success',
      eval: { task: 'named', model: 'm', scorers: [{ name: 'match' }], packages: { inspect_ai: '0.3.133' } },
      samples: [shown('theirs', digest), shown('own', `data:image/png;base64,${makePng([1, 1, 1]).toString('base64')}`)],
    }
    const theirs = {
      client: stranger.client,
      fetch: (path: string, init: RequestInit = {}) => fetch(service.baseUrl + path, { ...init, headers: stranger.client.headers }),
    }
    const record = await importAnswers(theirs, {}, [{ name: 'named.json', content: JSON.stringify(log) }])
    expect(record).toMatchObject({ status: 'imported', rows: { read: 1 } })
    expect(record.warnings.join('\n')).toMatch(/"theirs".*not stored in this workspace/)
  })

  test('keeps nothing of a provider’s item that names it', async () => {
    const item = { id: 'one', status: 'ACTIVE', input: asked(), expectedOutput: 'x', metadata: {}, datasetId: 'x', datasetName: 'x' }
    const server = await startProvider('langfuse', [], [])
    server.intercept = ({ path }) =>
      path.includes('dataset-items')
        ? { status: 200, body: { data: [item], meta: { page: 1, limit: 100, totalItems: 1, totalPages: 1 } } }
        : null
    const { id: integration_id } = await connect(stranger.client, 'langfuse', server.url)
    const { id } = await stranger.client.call('createDataset', { body: { name: 'Of a provider', task: 'answer' } })
    const body = { integration_id, kind: 'dataset' as const, resource_id: resourcesOf.langfuse.dataset }
    expect((await stranger.client.call('addWorkloadSource', { params: { dataset_id: id }, body })).source.created).toBe(1)
    await server.close()
    const read = await fetch(`${service.baseUrl}/v1/media/${digest}`, { headers: stranger.client.headers })
    expect(read.status).toBe(404)
  })
})
