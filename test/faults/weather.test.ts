import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mulberry32 } from '../../src/engine/statistics/random.ts'
import { listen } from '../journeys/model-server/listen.ts'
import { importFiles } from '../support/imports.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Time passes so many times as fast for whatever waits: a pause of a minute takes a second. */
const speed = vi.hoisted(() => 60)

vi.mock('node:timers/promises', async original => {
  const real = await original<typeof import('node:timers/promises')>()
  const setTimeout: typeof real.setTimeout = (ms, ...rest) => real.setTimeout((ms ?? 0) / speed, ...rest)
  return { ...real, setTimeout }
})

/** The questions of GSM8K in `npm run test:faults`. */
const samples = process.env['ASSAY_KILLS'] === undefined ? 150 : 1_319
const usage = { prompt_tokens: 37, completion_tokens: 11, total_tokens: 48 }
const rates = { input_microusd_per_million: '333333', output_microusd_per_million: '1777777' }

type Weather = 'throttled' | 'overloaded' | 'reset' | 'cut' | 'fair'
/** Of a hundred calls. */
const shares: readonly (readonly [Weather, number])[] = [
  ['throttled', 20],
  ['overloaded', 5],
  ['reset', 3],
  ['cut', 2],
  ['fair', 70],
]

/** A hundred calls' weather in a drawn order, again and again. */
function* weatherOf(random: () => number): Generator<Weather> {
  for (;;) {
    const deck = shares.flatMap(([weather, count]) => Array.from({ length: count }, () => ({ weather, place: random() })))
    for (const { weather } of deck.sort((a, b) => a.place - b.place)) yield weather
  }
}

/** A server with one slot, which takes no calls for a minute once it has answered a third of the samples. */
function startServer() {
  const weather = weatherOf(mulberry32(7))
  const books = { answered: [] as string[], refused: 0, refusedByWeather: 0, broken: 0 }
  let isTaken = false
  let pausedUntil: number | null = null
  const refuse = (response: ServerResponse, status: number, message: string) => {
    books.refused++
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const question = /Question (\d+)\./.exec(Buffer.concat(chunks).toString())?.[1]
      const event = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`)
      const say = (content: string) => event({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] })
      const finish = () => {
        event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })
        response.end('data: [DONE]\n\n')
      }
      if (question === undefined) {
        say('ready')
        return finish()
      }
      if (pausedUntil === null && books.answered.length * 3 > samples) pausedUntil = performance.now() + 60_000 / speed
      if (performance.now() < (pausedUntil ?? 0)) return refuse(response, 429, 'Too many requests.')
      if (isTaken) return refuse(response, 503, 'No slot available.')
      const now = weather.next().value ?? 'fair'
      if (now === 'throttled' || now === 'overloaded') {
        books.refusedByWeather++
        return now === 'throttled' ? refuse(response, 429, 'Slow down.') : refuse(response, 529, 'Overloaded.')
      }
      if (now === 'reset') {
        books.broken++
        return request.socket.destroy()
      }
      isTaken = true
      response.on('close', () => {
        isTaken = false
      })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      say(question)
      if (now === 'cut') {
        books.broken++
        setImmediate(() => request.socket.destroy())
        return
      }
      setImmediate(() => {
        books.answered.push(question)
        finish()
      })
    })
  })
  return { books, running: listen(server, 0) }
}

let service: TestService
beforeAll(async () => {
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() * speed)
  service = await startTestService()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await service.close()
})

test('a run through a day of weather is complete, asks every sample once and costs what the server books', async () => {
  const { books, running } = startServer()
  const server = await running
  const { client, baseUrl } = service
  const rows = Array.from({ length: samples }, (_, i) =>
    JSON.stringify({ id: `q${i}`, input: `Question ${i}. Repeat its number.`, target: `${i}` }),
  )
  const { slug } = await importFiles(service, { format: 'jsonl', name: 'Weather' }, [{ name: 'rows.jsonl', content: rows.join('\n') }])
  const connection = await client.call('createConnection', {
    body: { name: 'weather', base_url: `${server.baseUrl}/v1`, model: 'm', streaming: true, limits: { max_concurrency: 8 }, rates },
  })
  await client.call('checkConnection', { params: { connection_id: connection.id } })
  const { id } = await quote(client, {
    model: { kind: 'connection', connection_id: connection.id },
    profiles: [await profileId(client, slug ?? '', 'zero-shot')],
    coverage: { mode: 'full' },
    execution: { cache: false },
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
  const results = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })
  await server.close()

  expect(run).toMatchObject({ status: 'complete', progress: { scored: samples, failed: 0, missing: 0 } })
  expect(results.metrics[0]?.estimate).toMatchObject({ n: samples, mean: 1 })
  expect(new Set(books.answered).size).toBe(samples)
  expect(books.answered).toHaveLength(samples)
  // A call that was turned away is none that a sample made.
  expect(books.answered.length + books.broken).toBeLessThanOrEqual(1.3 * samples)
  // What the weather did not turn away by itself: probes of the pause, and what came while the slot was taken.
  expect(books.refused - books.refusedByWeather).toBeLessThanOrEqual(0.3 * samples)
  const exact = BigInt(samples) * (37n * BigInt(rates.input_microusd_per_million) + 11n * BigInt(rates.output_microusd_per_million))
  expect(results.billing.provider_billed_microusd).toBe(String((exact + 999_999n) / 1_000_000n))
})
