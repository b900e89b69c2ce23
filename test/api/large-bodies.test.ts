import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { NewTuneCase } from '../../src/contract/tuning/draft.schemas.ts'
import { NewWorld } from '../../src/contract/worlds/worlds.schemas.ts'
import { readJsonBody } from '../../src/service/http/json-body.ts'
import { prepareEdits } from '../../src/service/tuning/edit-cases.ts'
import { longestTurnCpuMs } from '../support/longest-turn.ts'
import { slowness } from '../support/machine-speed.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const large = Buffer.alloc(1_200_000, ' ')

/** Sends the beginning of a body that is larger than usual, and no end. */
async function begun(path: string, type: string, opening: string): Promise<ClientRequest> {
  const sending = request(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...service.keyClient.headers, 'content-type': type, 'transfer-encoding': 'chunked' },
  })
  sending.on('error', () => undefined)
  await new Promise(resolve => sending.write(opening, resolve))
  return sending
}

/** Whether the service has answered by the time that other requests of the same key were answered. */
async function isAnswered(sending: ClientRequest): Promise<boolean> {
  let answered = false
  sending.once('response', response => {
    answered = true
    response.resume()
  })
  for (let i = 0; i < 5; i++) await service.keyClient.call('getHealth', {})
  return answered
}

test.each([
  ['JSON of one key is read four at a time', 4, '/v1/comparisons/rank', 'application/json', '{', '}'],
  [
    'files of one key are held two at a time',
    2,
    '/v1/media',
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n',
    '\r\n--x--\r\n',
  ],
])('%s, and the next when one has ended', async (_, most, path, type, opening, ending) => {
  const held = await Promise.all(Array.from({ length: most }, () => begun(path, type, opening)))
  for (const sending of held) expect(await isAnswered(sending)).toBe(false)
  const next = await begun(path, type, opening)
  next.end(Buffer.concat([large, Buffer.from(ending)]))
  expect(await isAnswered(next)).toBe(false)
  const response = once(next, 'response')
  held[0]?.destroy()
  const [{ statusCode }] = (await response) as [{ readonly statusCode: number }] // of the event `response`
  expect(statusCode).toBe(422)
  for (const sending of held) sending.destroy()
})

/** Turns of the loop that others have while `work` is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

test('ten thousand cases are written as JSON and digested in turns, and a long body is read in some', async () => {
  const upsert = Array.from({ length: 10_000 }, (_, i) => NewTuneCase.parse({ input: `${i}` }))
  expect(await turnsDuring(() => prepareEdits({ upsert, loc: [] }))).toBeGreaterThanOrEqual(49)
  const body = Buffer.from(JSON.stringify(upsert))
  expect(await turnsDuring(() => readJsonBody(body))).toBeGreaterThanOrEqual(2)
  expect(await readJsonBody(body)).toEqual(JSON.parse(body.toString()))
})

test('a draft of 14 MB takes no more than a fraction of a second at a time', async () => {
  const cases = Array.from({ length: 10_000 }, (_, i) => ({ input: `${i} ${'x'.repeat(1_400)}` }))
  const body = JSON.stringify({ name: 'Large', cases })
  const took = await longestTurnCpuMs(async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await service.fetch('/v1/tune-sessions', { method: 'POST', headers, body })).status).toBe(201)
  })
  expect(took).toBeLessThan(300 * slowness())
})

test('spans of as many words as are searched take no more than a fraction of a second at a time', async () => {
  const attributes = (n: number) => [
    { key: 'gen_ai.input.messages', value: { stringValue: saying('user', n) } },
    { key: 'gen_ai.output.messages', value: { stringValue: saying('assistant', -n) } },
  ]
  /** Twenty thousand characters of words that nothing else says. */
  const saying = (role: string, n: number) =>
    JSON.stringify([
      {
        role,
        content: Array.from({ length: 2_000 }, (_, i) => `word${n * 2_000 + i}`)
          .join(' ')
          .slice(0, 20_000),
      },
    ])
  const spans = Array.from({ length: 390 }, (_, i) => ({
    traceId: String(i + 1).padStart(32, '0'),
    spanId: String(i + 1).padStart(16, '0'),
    name: 'words',
    startTimeUnixNano: '1700000000000000000',
    attributes: attributes(i + 1),
  }))
  const body = gzipSync(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
  const took = await longestTurnCpuMs(async () => {
    const reply = await service.fetch('/v1/traces', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body,
    })
    expect(reply.status).toBe(200)
  })
  expect(took).toBeLessThan(150 * slowness())
})

test('an attacked world of 27 MB is made in turns, and one of too many tasks is refused in words', async () => {
  const example = NewWorld.parse(worldsExamples.createEnvironment)
  const worldOf = (slug: string, tasks: number, text: string) =>
    service.client.call('createEnvironment', {
      body: {
        ...example,
        slug,
        tasks: Array.from({ length: tasks }, (_, i) => ({
          ...example.tasks[0],
          id: `t${i}`,
          messages: [{ role: 'user' as const, content: text }],
        })) as typeof example.tasks,
      },
    })
  const [large, many] = [await worldOf('large', 20, 'x'.repeat(90_000)), await worldOf('many', 450, 'x')]
  const took = await longestTurnCpuMs(async () => {
    const params = { environment_version_id: large.id }
    expect((await service.client.call('attackEnvironment', { params, body: {} })).task_count).toBe(300)
  })
  expect(took).toBeLessThan(250 * slowness())
  const refused = await service.client.refusal('attackEnvironment', { params: { environment_version_id: many.id }, body: {} })
  expect(refused.message).toContain('make 6750 tasks of 450, and an environment has at most 2000')
})

test.each([
  ['a list of empty objects', `{"input":[${'{},'.repeat(190_000)}{}]}`],
  ['lists within lists', `{"examples":[{"input":[${'{"role":"user","content":[0,0,0,0]},'.repeat(50_000)}{}]}]}`],
  ['valid texts', `{"examples":[${'{"input":"a","expected":["b"]},'.repeat(60_000)}{"input":"a"}]}`],
  ['half pairs', `{"input":[${'"\\ud800",'.repeat(390_000)}""]}`],
])('%s, as dense as a body may be, takes no more than a fraction of a second at a time', async (_what, body) => {
  const { id } = await service.client.call('createDataset', { body: { name: crypto.randomUUID(), task: 'answer' } })
  const took = await longestTurnCpuMs(async () => {
    const reply = await service.fetch(`/v1/datasets/${id}/examples`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await reply.text()
    expect(reply.status).toBe(422)
  })
  expect(took).toBeLessThan(600 * slowness())
})
