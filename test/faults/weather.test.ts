import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mulberry32 } from '../../src/engine/statistics/random.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { listen } from '../journeys/model-server/listen.ts'
import { startChildService } from '../support/child-service.ts'
import { importFiles } from '../support/imports.ts'
import { patience } from '../support/machine-speed.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/**
 * Time passes so many times as fast, here and for what waits in the service: a pause of a minute takes two seconds, and longer on a slow
 * machine. What is computed is not hurried and would otherwise pass for a server that answers after minutes.
 */
const speed = 60 / patience()
/** The questions of GSM8K in `npm run test:faults`. */
const samples = process.env['ASSAY_KILLS'] === undefined ? 120 : 1_319
const rates = { input_microusd_per_million: '333333', output_microusd_per_million: '1777777' }

const wholePauseMs = 60_000
const answerMs = 400

/**
 * One slot; for 20 % of the time calls are refused, for 5 % by an overload, once for a minute; of those that are taken 3 % are reset and
 * 2 % cut off. Its books hold what it answered and what that cost, in micro-USD per million tokens.
 */
function startServer() {
  const random = mulberry32(7)
  const now = () => performance.now() * speed
  const began = now()
  const books = { answered: [] as string[], calls: 0, billed: 0n }
  let isTaken = false
  let pausedUntil: number | null = null
  const refuse = (response: ServerResponse, status: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error: { message } }))
  const answer = async (response: ServerResponse, text: string) => {
    const event = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`)
    event({ choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }] })
    const luck = random()
    await delay(answerMs / speed)
    isTaken = false
    if (luck < 0.02) return void response.destroy()
    const usage = { prompt_tokens: 20 + Math.floor(random() * 100), completion_tokens: 1 + Math.floor(random() * 50) }
    books.answered.push(text)
    books.billed += BigInt(usage.prompt_tokens) * BigInt(rates.input_microusd_per_million)
    books.billed += BigInt(usage.completion_tokens) * BigInt(rates.output_microusd_per_million)
    event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })
    response.end('data: [DONE]\n\n')
  }
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const question = /Question (\d+)\./.exec(Buffer.concat(chunks).toString())?.[1]
      if (question === undefined) return void response.writeHead(200, { 'content-type': 'application/json' }).end(ready)
      books.calls++
      if (books.answered.length * 3 > samples) pausedUntil ??= now() + wholePauseMs
      const pauseMs = (pausedUntil ?? 0) - now()
      const ofMinute = ((now() - began) / 1000) % 100
      if (pauseMs > 0) return void refuse(response, 429, 'Too many requests.', { 'retry-after': String(Math.ceil(pauseMs / 1000)) })
      if (ofMinute >= 50 && ofMinute < 70) return void refuse(response, 429, 'Slow down.')
      if (ofMinute >= 90 && ofMinute < 95) return void refuse(response, 529, 'Overloaded.')
      if (isTaken) return void refuse(response, 503, 'No slot available.')
      if (random() < 0.03) return void request.socket.destroy()
      isTaken = true
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      void answer(response, question)
    })
  })
  return { books, running: listen(server, 0) }
}

const ready = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'ready' }, finish_reason: 'stop' }] })

test('a run through a day of weather is complete, asks every sample once and costs what the server books', async () => {
  const folder = temporaryFolder()
  const { books, running } = startServer()
  const server = await running
  const service = await startChildService(folder.path, [], undefined, speed)
  try {
    const { client, baseUrl } = service
    const rows = Array.from({ length: samples }, (_, i) =>
      JSON.stringify({ id: `q${i}`, input: `Question ${i}. Repeat its number.`, target: `${i}` }),
    )
    const own = {
      client,
      fetch: (path: string, init: RequestInit = {}) => fetch(`${baseUrl}${path}`, { ...init, headers: { ...client.headers } }),
    }
    const { slug } = await importFiles(own, { format: 'jsonl', name: 'Weather' }, [{ name: 'rows.jsonl', content: rows.join('\n') }])
    const connection = await client.call('createConnection', {
      body: { name: 'weather', base_url: `${server.baseUrl}/v1`, model: 'm', streaming: true, limits: { max_concurrency: 8 }, rates },
    })
    await client.call('checkConnection', { params: { connection_id: connection.id } })
    const { id } = await quote(client, {
      model: { kind: 'connection', connection_id: connection.id },
      profiles: [await profileId(client, slug ?? '', 'zero-shot')],
      execution: { cache: false },
    })
    const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
    const results = await client.call('getRunResults', { params: { run_id: run.id }, query: {} })

    expect(run).toMatchObject({ status: 'complete', progress: { scored: samples, failed: 0, missing: 0 } })
    expect(results.metrics[0]?.estimate).toMatchObject({ n: samples, mean: 1 })
    expect(books.answered).toHaveLength(samples)
    expect(new Set(books.answered).size).toBe(samples)
    // One call, one record.
    const db = openDatabase(join(folder.path, 'assay.db'), { readonly: true })
    expect(db.prepare('select count(*) from attempts').pluck().get()).toBe(books.calls)
    db.close()
    // The share of bad calls is drawn: three standard deviations above 1.3 calls a question.
    expect(books.calls).toBeLessThanOrEqual(1.3 * samples + 3 * Math.sqrt(0.3 * samples))
    expect(results.billing.provider_billed_microusd).toBe(String((books.billed + 999_999n) / 1_000_000n))
  } finally {
    await service.kill()
    await server.close()
    folder.remove()
  }
})
