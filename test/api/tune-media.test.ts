import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { MediaFile } from '../../src/contract/media/media.schemas.ts'
import { listen } from '../journeys/model-server/listen.ts'
import { jobEnd } from '../support/judging.ts'
import { makePng, makeWav } from '../support/media.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { newSession } from '../support/tuning.ts'

const clock = movingClock()
const cases = 40
let service: TestService

beforeAll(async () => {
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

const picture = (n: number) => makePng([n, 7, 255 - n])

async function store(bytes: Uint8Array<ArrayBuffer>): Promise<MediaFile> {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'picture.png')
  return MediaFile.parse(await (await service.fetch('/v1/media', { method: 'POST', body: form })).json())
}

const Chat = z.object({
  messages: z.array(
    z.object({
      content: z.union([
        z.string(),
        z.array(z.looseObject({ text: z.string().optional(), image_url: z.object({ url: z.string() }).optional() })),
      ]),
    }),
  ),
})

/** What a request of a chat says, and the numbers of the pictures that it shows, told by their bytes. */
function readChat(body: string): { readonly text: string; readonly pictures: readonly number[] } {
  const parts = Chat.parse(JSON.parse(body)).messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ text: content, image_url: undefined }] : content,
  )
  const urls = parts.flatMap(({ image_url }) => image_url?.url ?? [])
  return {
    text: parts.map(({ text }) => text ?? '').join('\n'),
    pictures: urls.map(url => [...Array(cases).keys()].findIndex(n => url === `data:image/png;base64,${picture(n).toString('base64')}`)),
  }
}

/** A checked connection to a model that answers by what it is shown. */
async function seeing(name: string, answer: (seen: ReturnType<typeof readChat>) => string, rate: string): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    if (request.method !== 'POST') return void response.writeHead(404).end()
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const content = answer(readChat(Buffer.concat(chunks).toString()))
      const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: 'x', choices, usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }))
    })
  })
  const running = await listen(server, 0)
  onTestFinished(() => running.close())
  const rates = { input_microusd_per_million: rate, output_microusd_per_million: rate }
  const { id } = await service.client.call('createConnection', {
    body: { name, base_url: `${running.baseUrl}/v1`, model: name, rates, limits: { max_concurrency: 16 } },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  return id
}

const image = (media: string) => ({ type: 'image' as const, media })
const text = (said: string) => ({ type: 'text' as const, text: said })
const label = (n: number) => `label-${n % 3}`

describe('a tuning session whose cases show pictures', () => {
  test('sends them to the models and to the model that writes prompts, and exports them', async () => {
    const { client } = service
    const stored = await Promise.all([...Array(cases).keys()].map(n => store(picture(n))))
    const right = ({ pictures }: ReturnType<typeof readChat>) => (pictures.length === 1 ? label(pictures[0] ?? -1) : 'blind')
    const asked: number[] = []
    const current = await seeing('current', right, '10000000')
    const cheap = await seeing(
      'cheap',
      seen => {
        asked.push(...seen.pictures)
        return seen.text.includes('modulo') || (seen.pictures[0] ?? 0) % 3 !== 1 ? right(seen) : 'wrong'
      },
      '1000000',
    )
    const shown: number[] = []
    const writer = await seeing(
      'writer',
      seen => {
        shown.push(...seen.pictures)
        return '<prompt>Red, modulo 3: {input}</prompt>'
      },
      '1000000',
    )
    const { call, ...body } = newSession(0)
    if (!call) throw new Error('A session has a call.')
    const model = (connection_id: string) => ({ kind: 'connection' as const, connection_id })
    const { id } = await client.call('createTuneSession', {
      body: {
        ...body,
        call: { ...call, model: model(current), prompt_template: 'Sort this: {input}' },
        objective: { margin: 0.3, seed: 3 },
        cases: stored.map(({ digest }, n) => ({
          id: `case-${n}`,
          input: [image(digest), text(`Ticket ${n}`)],
          expected: label(n),
        })),
      },
    })
    const params = { session_id: id }
    await client.call('approveTuneSession', { params, body: { revision: 1 } })
    const quote = await client.call('createTuneQuote', {
      params,
      body: {
        candidates: [{ label: 'cheap', model: model(cheap), effort: null }],
        mode: 'race',
        max_charge_microusd: '0',
        optimize: { reflection_model: model(writer), reflection_effort: null, train_share: 0.4, max_calls: 60 },
      },
    })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const started = await client.call('startTuneGroup', { params, body: { quote_id: quote.id }, headers })
    await jobEnd(client, started.job_id ?? '')
    const searched = new Set(asked)
    const { search, job_id } = await client.call('getTuneSession', { params })
    await jobEnd(client, job_id ?? '')
    const session = await client.call('getTuneSession', { params })
    expect(search?.prompts.filter(({ outcome }) => outcome === 'kept')).toMatchObject([{ number: 1, races: true }])
    expect(session.conclusion?.recommended).toBe('cheap, prompt 1')

    // What the writer saw were pictures of training cases that failed.
    const { items } = await client.call('listSamples', {
      params: { run_id: session.groups[0]?.arms[0]?.run_id ?? '' },
      query: { limit: 100 },
    })
    const heldOut = new Set(items.map(({ task_id }) => Number(task_id.replace('case-', ''))))
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.filter(n => n < 0 || n % 3 !== 1 || heldOut.has(n) || !searched.has(n))).toEqual([])

    const exported = await client.call('exportTuneSession', { params })
    expect(exported.cases[3]?.input).toEqual([image(stored[3]?.digest ?? ''), text('Ticket 3')])
    expect(exported.media.map(({ digest }) => digest).toSorted()).toEqual(stored.map(({ digest }) => digest).toSorted())
    const bytes = await service.fetch(`/v1/media/${exported.media[0]?.digest}`)
    expect(bytes.status).toBe(200)

    // A draft of a run has what its tasks showed.
    const again = await client.call('createTuneSession', {
      body: { name: 'Again', from_run: { run_id: session.groups[0]?.arms[0]?.run_id ?? '' } },
    })
    const [first] = again.draft.cases
    const [sample] = items.filter(item => item.id === first?.origin?.ref)
    expect(first?.input).toEqual([
      { type: 'text', text: 'Sort this: ' },
      image(sample?.images[0] ?? ''),
      { type: 'text', text: expect.stringMatching(/^Ticket \d+$/) },
    ])
  })

  test('keeps its files when uploads that nothing uses are removed', async () => {
    const [kept, dropped] = await Promise.all([store(makePng([1, 1, 1])), store(makePng([2, 2, 2]))])
    await service.client.call('createTuneSession', { body: { ...newSession(0), cases: [{ input: [image(kept.digest)] }] } })
    clock.advance(8 * 24 * 3600 * 1000)
    await service.restart()
    await expect
      .poll(async () => (await service.client.call('listJobs', { query: { kind: 'media_cleanup' } })).items[0]?.state)
      .toBe('succeeded')
    const status = async ({ digest }: MediaFile) => (await service.fetch(`/v1/media/${digest}`)).status
    expect([await status(kept), await status(dropped)]).toEqual([200, 404])
  })

  test('refuses a file that the workspace does not have, and one of another kind', async () => {
    const refused = (part: object) =>
      service.client.refusal('createTuneSession', {
        body: { ...newSession(0), cases: [{ input: 'text' }, { input: [part] }] } as ReturnType<typeof newSession>, // also wrong ones
      })
    const none = `sha256:${'0'.repeat(64)}`
    expect((await refused(image(none))).detail).toMatchObject([
      { loc: ['body', 'cases', 1, 'input'], msg: expect.stringContaining(`names ${none}, which this workspace does not have`) },
    ])
    const { digest } = await store(makeWav(100))
    expect((await refused(image(digest))).detail[0]?.msg).toContain('as image, and the file is audio/wav; send it as audio')
    expect((await refused({ type: 'reasoning', text: 'x' })).status).toBe(422)
  })
})
