import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
