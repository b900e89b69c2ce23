import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { makePdf, makePng, makeWav } from '../support/media.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, prepare, test as base, type Workstation } from './support/workstation.ts'

const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`

/** An endpoint that says "A river" and draws one. */
async function startDrawingModel(): Promise<string> {
  const drawn = { type: 'image_url', image_url: { url: uri('image/png', makePng([40, 90, 200], { width: 96, height: 64 })) } }
  const message = { role: 'assistant', content: 'A river', images: [drawn] }
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
  return { everything: await sampleOf('everything-shown'), talk: await sampleOf('given-talk') }
})

const test = base.extend<{ samples: { readonly everything: string; readonly talk: string } }>({
  samples: async ({ workstation }, use) => use(await prepareRuns(workstation)),
})

test('a sample shows the picture, recording and document of its task, and the picture of its answer', async ({
  app,
  samples,
  complaints,
}) => {
  await app.goto(samples.everything)
  const picture = app.getByRole('img', { name: 'Image of the task' })
  await expect(picture).toBeVisible()
  await expect.poll(() => picture.evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(96) // an image by its role
  await expect(app.locator('audio')).toHaveCount(1)
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

test('a given conversation is shown message by message', async ({ app, samples }) => {
  await app.goto(samples.talk)
  await expect(app.getByText('And what flows there?').first()).toBeVisible()
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
