import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { makePdf, makePng, makeWav } from '../support/media.ts'
import { recordSpans } from '../support/otlp.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, prepare, test as base, type Workstation } from './support/workstation.ts'

const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`

/** An endpoint that says "A river", draws one, and speaks in samples without a header. */
async function startDrawingModel(): Promise<string> {
  const drawn = { type: 'image_url', image_url: { url: uri('image/png', makePng([40, 90, 200], { width: 96, height: 64 })) } }
  const audio = { id: 'audio_1', data: makeWav(300, 24_000).subarray(44).toString('base64'), transcript: 'It is a river.' }
  const message = { role: 'assistant', content: 'A river', images: [drawn], audio }
  const reply = JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model: 'drawing',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  })
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo // it listens on a port
  return `http://127.0.0.1:${port}/v1`
}

/** Tall, wide, one that a browser is made to find damaged, and so many small ones that there are forty. */
const oddPictures = [
  makePng([200, 60, 40], { width: 4, height: 6000 }),
  makePng([40, 90, 200], { width: 6000, height: 4 }),
  makePng([1, 2, 3], { width: 64, height: 64 }),
  ...Array.from({ length: 37 }, (_, i) => makePng([i, 255 - i, 90], { width: 60, height: 40 })),
]

/** Imports rows as a person's upload. */
async function land({ baseUrl, owner }: Workstation, name: string, rows: readonly object[]): Promise<void> {
  const form = new FormData()
  form.set('format', 'jsonl')
  form.set('name', name)
  form.set('file', new Blob([rows.map(row => JSON.stringify(row)).join('\n')]), 'tasks.jsonl')
  const reply = await fetch(`${baseUrl}/v1/catalog/imports`, { method: 'POST', body: form, headers: owner })
  const { id } = ImportRecord.parse(await reply.json())
  const client = ownerClient({ baseUrl, owner, pairingCode: () => Promise.reject(new Error('It is not used.')) })
  await expect
    .poll(async () => (await client.call('getImport', { params: { import_id: id } })).status, { message: `the import of ${name}` })
    .toBe('imported')
}

const prepareRuns = prepare(async workstation => {
  const client = ownerClient(workstation)
  await land(workstation, 'Everything shown', [
    {
      question: 'What is in the picture, the recording and the document?',
      answer: 'A river',
      image: uri('image/png', makePng([200, 60, 40], { width: 96, height: 64 })),
      sound: uri('audio/wav', makeWav(400)),
      paper: uri('application/pdf', makePdf(1)),
    },
  ])
  const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }
  await land(workstation, 'Given talk', [
    {
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Weather in Rome?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'Sunny' },
        { role: 'user', content: 'And what flows there?' },
      ],
      answer: 'A river',
    },
  ])
  await land(workstation, 'Chosen pictures', [
    {
      question: 'Which picture shows a river?',
      choices: [
        [200, 60, 40],
        [40, 90, 200],
      ].map(([r = 0, g = 0, b = 0]) => uri('image/png', makePng([r, g, b], { width: 1200, height: 800 }))),
      answer: 'B',
    },
  ])
  await land(workstation, 'Odd files', [
    {
      question: 'What is wrong here?',
      answer: 'Everything',
      image: oddPictures.map(bytes => uri('image/png', bytes)),
      sound: uri('audio/wav', makeWav(0)),
      paper: uri('application/pdf', makePdf(300)),
    },
  ])
  const { id } = await client.call('createConnection', {
    body: { name: 'drawing', base_url: await startDrawingModel(), model: 'drawing', api_key: 'sk-none-1234' },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  const sampleOf = async (slug: string) => {
    const quoted = await quote(client, {
      model: { kind: 'connection', connection_id: id },
      profiles: [await profileId(client, slug, 'zero-shot')],
    })
    const run = await runToEnd(client, workstation.baseUrl, (await submit(client, quoted.id, slug)).id)
    const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
    return `/runs/${run.id}/samples/${items[0]?.id ?? ''}`
  }
  return {
    everything: await sampleOf('everything-shown'),
    talk: await sampleOf('given-talk'),
    chosen: await sampleOf('chosen-pictures'),
    odd: await sampleOf('odd-files'),
  }
})

const test = base.extend<{
  samples: { readonly everything: string; readonly talk: string; readonly chosen: string; readonly odd: string }
}>({
  samples: async ({ workstation }, use) => use(await prepareRuns(workstation)),
})

test('a sample shows the picture, recording and document of its task, and the picture and recording of its answer', async ({
  app,
  samples,
  complaints,
}) => {
  await app.goto(samples.everything)
  const picture = app.getByRole('img', { name: 'Image of the task' })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(96) // an image by its role
  await expect(app.locator('audio')).toHaveCount(2)
  const spoken = app.getByLabel('Recording 2 of the answer')
  await expect.poll(() => spoken.evaluate(element => (element as HTMLAudioElement).duration)).toBeCloseTo(0.3, 2) // audio by its label
  await expect(app.getByText('It is a river.', { exact: true })).toBeVisible()
  await expect(app.getByText('Document', { exact: true })).toBeVisible()
  await expect(app.getByRole('img', { name: 'Image 1 of the answer' })).toBeVisible()
  await expect(app.getByText('Not graded: scorers are given the text.')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])

  await app.getByRole('button', { name: 'Enlarge: Image 1 of the answer' }).press('Enter')
  await expect(app.getByRole('dialog')).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(app.getByRole('dialog')).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('forty pictures of a message, tall, wide and damaged ones among them, fit the page, and what cannot be shown says so', async ({
  app,
  samples,
  complaints,
}) => {
  const [damaged = '', overloaded = ''] = oddPictures.slice(2, 4).map(bytes => createHash('sha256').update(bytes).digest('hex'))
  await app.route(
    url => url.pathname.includes(damaged),
    route => route.fulfill({ contentType: 'image/webp', body: 'no picture' }),
  )
  let isOverloaded = true
  await app.route(
    url => url.pathname.includes(overloaded) && isOverloaded,
    route => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }),
  )
  await app.goto(samples.odd)
  const pictures = app.locator('.media-image img')
  const damagedOnes = app.getByText('This image can’t be displayed. The file is damaged, or this browser can’t read it.')
  const unloaded = app.getByText('The file couldn’t be loaded.')
  const missing = app.getByText('The file is missing from this installation.')
  const shown = async () => ({
    pictures: await pictures.count(),
    damaged: await damagedOnes.count(),
    unloaded: await unloaded.count(),
    missing: await missing.count(),
  })
  // With the one of the answer.
  const { timeout } = test.info()
  await expect.poll(shown, { timeout }).toEqual({ pictures: 39, damaged: 1, unloaded: 1, missing: 0 })
  isOverloaded = false
  await app.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(shown, { timeout }).toEqual({ pictures: 40, damaged: 1, unloaded: 0, missing: 0 })
  await expect(app.locator('audio')).toHaveCount(2)
  await expect(app.getByText('Document', { exact: true })).toBeVisible()
  const sizes = await pictures.evaluateAll(images => images.map(image => [image.clientWidth, image.clientHeight]))
  for (const [width = 0, height = 0] of sizes) {
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(30)
    expect(height).toBeLessThanOrEqual(320)
  }
  expect(await app.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Enlarge: Image 1 of the task' }).press('Enter')
  const enlarged = app.getByRole('dialog').locator('.media-zoom')
  await expect.poll(() => enlarged.evaluate(element => (element as HTMLImageElement).naturalHeight)).toBe(6000) // an image by its role
  expect(await enlarged.evaluate(element => element.clientHeight / window.innerHeight)).toBeLessThanOrEqual(4.01)
  await app.keyboard.press('Escape')

  const isWhole = ({ pathname }: URL): boolean => pathname.startsWith('/v1/media/') && !pathname.endsWith('/thumbnail')
  await app.route(isWhole, route => route.fulfill({ contentType: 'image/tiff', body: 'no picture' }))
  await app.getByRole('button', { name: 'Enlarge: Image 4 of the task' }).press('Enter')
  await expect(app.getByRole('dialog').getByText('Shown small: this browser can’t read the file itself.')).toBeVisible()
  await expect.poll(() => enlarged.evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(60) // an image by its role
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.keyboard.press('Escape')
  await app.route(isWhole, route => route.fulfill({ status: 404, body: '' }))
  await app.getByRole('button', { name: 'Enlarge: Image 5 of the task' }).press('Enter')
  await expect(app.getByRole('dialog').getByText('Shown small: couldn’t load the file itself.')).toBeVisible()
  await app.keyboard.press('Escape')
  await app.goto(samples.odd.replace(/\/samples\/.*/, '/samples'))
  await expect(app.getByTitle('Damaged')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})

test('choices that are pictures are shown behind their letters, enlarged by keyboard, and small in the list', async ({
  app,
  samples,
  complaints,
}) => {
  await app.goto(samples.chosen)
  for (const name of ['Choice A', 'Choice B']) await expect(app.getByRole('img', { name, exact: true })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Enlarge: Choice B' }).press('Enter')
  await expect(app.getByRole('dialog', { name: 'Choice B' })).toBeVisible()
  await app.keyboard.press('Escape')
  await app.goto(samples.chosen.replace(/\/samples\/.*/, '/samples'))
  const small = app.getByRole('img', { name: 'Image of the task' })
  await expect(small.first()).toBeVisible()
  // An image by its role; the file has 1,200.
  await expect.poll(() => small.first().evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(128)
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})

test('a trace shows the pictures of its spans, enlarged by keyboard', async ({ app, workstation, complaints }) => {
  const exporter = new OTLPTraceExporter({ url: `${workstation.baseUrl}/v1/traces`, headers: workstation.owner })
  const content = uri('image/png', makePng([10, 120, 200], { width: 96, height: 64 })).split(',')[1]
  const parts = [
    { type: 'text', content: 'What flows here?' },
    { type: 'blob', modality: 'image', mime_type: 'image/png', content },
  ]
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts }]),
    'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'A river' }] }]),
  }
  await recordSpans([{ name: 'seen', attributes }], exporter)
  const { items } = await ownerClient(workstation).call('listTraces', { query: { q: 'seen', limit: 1 } })
  await app.goto(`/traces/${items[0]?.id ?? ''}`)
  const picture = app.getByRole('button', { name: 'Enlarge: Image of the trace' })
  await expect(picture).toBeVisible()
  await expect(app.getByText('What flows here?').first()).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture.press('Enter')
  await expect(app.getByRole('dialog')).toBeVisible()
  await app.keyboard.press('Escape')
  await expect(app.getByRole('dialog')).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a given conversation is shown message by message', async ({ app, samples }) => {
  await app.goto(samples.talk)
  await expect(app.getByText('And what flows there?').first()).toBeVisible()
  await app.keyboard.press('p')
  await app.getByText('4 messages before the question').click()
  for (const text of ['Be short.', 'Weather in Rome?', 'weather({"city":"Rome"})', 'Sunny'])
    await expect(app.getByText(text).first()).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
})

test('a case of a tuning session is written with a picture, shown with it and edited', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const { id } = await client.call('createTuneSession', { body: { name: 'Signs', cases: [{ id: 'first', input: 'In words' }] } })
  await app.goto(`/tuning/${id}`)
  const form = app.getByRole('form', { name: 'Add a case' })
  await form.locator('input[type=file]').setInputFiles({
    name: 'sign.png',
    mimeType: 'image/png',
    buffer: makePng([40, 160, 90], { width: 96, height: 64 }),
  })
  await expect(form.getByRole('img', { name: 'File 1' })).toBeVisible()
  await form.getByRole('textbox', { name: 'Input' }).fill('What does the sign say?')
  await form.getByRole('textbox', { name: 'Expected answer' }).fill('Stop')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await form.getByRole('button', { name: 'Add case' }).click()
  const table = app.getByRole('table', { name: 'Cases' })
  await expect(table.getByRole('img', { name: 'sign.png' })).toBeVisible()
  await expect(table).toContainText('What does the sign say?')
  expect(await violationsInBothSchemes(app)).toEqual([])

  const added = async () =>
    (await client.call('getTuneSession', { params: { session_id: id } })).draft.cases.find(one => one.id !== 'first')
  const one = await added()
  expect(one?.input).toEqual([
    { type: 'image', media: expect.stringMatching(/^sha256:/), alt: 'sign.png' },
    { type: 'text', text: 'What does the sign say?' },
  ])
  await table.getByRole('button', { name: `Edit ${one?.id ?? ''}` }).click()
  const editing = app.getByRole('form', { name: 'Edit case' })
  await editing.getByRole('button', { name: 'Remove file 1' }).click()
  await editing.getByRole('button', { name: 'Save case' }).click()
  await expect.poll(async () => (await added())?.input).toBe('What does the sign say?')
  expect(complaints).toEqual([])
})

test('a review shows the pictures of an example and of its answer, by keyboard too', async ({ app, workstation, samples, complaints }) => {
  const client = ownerClient(workstation)
  const picture = (color: readonly [number, number, number]) => uri('image/png', makePng(color, { width: 96, height: 64 }))
  const { id } = await client.call('createDataset', { body: { name: 'Seen', task: 'answer' } })
  const anthropic = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture([9, 9, 200]).split(',')[1] } }
  await client.call('addExamples', {
    params: { dataset_id: id },
    body: {
      examples: [
        {
          input: { question: 'Which is larger, <image> or {second}?', first: picture([200, 60, 40]), second: picture([40, 60, 200]) },
          output: `The first.\n![a sketch of both](${picture([10, 160, 60])})`,
          expected: 'The first.',
        },
        {
          input: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'Which colour?' },
                { type: 'image_url', image_url: { url: picture([1, 200, 1]) } },
                anthropic,
              ],
            },
          ],
          output: 'Green',
        },
      ],
    },
  })
  const [, , runId = ''] = samples.everything.split('/')
  await client.call('addExamplesFromRun', { params: { dataset_id: id }, body: { run_id: runId } })
  await app.goto(`/datasets/${id}/review`)
  for (const name of ['Image 1 of question', 'Image 2 of question', 'a sketch of both'])
    await expect(app.getByRole('img', { name })).toBeVisible()
  await expect(app.getByRole('region', { name: 'Expected' })).toContainText('The first.')
  expect(await violationsInBothSchemes(app)).toEqual([])

  const sketch = app.getByRole('button', { name: 'Enlarge: a sketch of both' })
  await sketch.press('Enter')
  await expect(app.getByRole('dialog')).toBeVisible()
  // Keys of the review do not reach behind the picture.
  await app.keyboard.press('a')
  await app.keyboard.press('Escape')
  await expect(app.getByRole('dialog')).toHaveCount(0)
  await expect(app.getByText('1 of 3')).toBeVisible()

  await app.keyboard.press('j')
  for (const name of ['Image 1 of the message', 'Image 2 of the message']) await expect(app.getByRole('img', { name })).toBeVisible()
  await app.keyboard.press('j')
  await expect(app.getByRole('img', { name: 'Image of the example' })).toBeVisible()
  await expect(app.getByRole('img', { name: 'Image 1 of the answer' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})
