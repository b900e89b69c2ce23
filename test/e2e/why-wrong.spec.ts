import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, prepare, test as base } from './support/workstation.ts'

/** A folder for pictures in both schemes, for people to look at; none are made without it. */
const pictures = process.env['ASSAY_PICTURES']
const tasks = 80

/** An endpoint that is cut off in every fourth answer, gives no choice in every fourth, and else the first choice. */
async function startPoorModel(): Promise<string> {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(404).end()
      const turn = asked++ % 4
      const content = turn === 0 ? 'Let me think about each of the options, one after' : turn === 1 ? 'That is hard to tell.' : 'A'
      response.writeHead(200, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          id: 'x',
          object: 'chat.completion',
          model: 'poor',
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: turn === 0 ? 'length' : 'stop' }],
          usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
        }),
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo // it listens on a port
  return `http://127.0.0.1:${port}/v1`
}

const prepareRun = prepare(async workstation => {
  const { baseUrl, owner } = workstation
  const client = ownerClient(workstation)
  const rows = Array.from({ length: tasks }, (_, i) =>
    JSON.stringify({ question: `Which letter follows the letter of box ${i}?`, choices: ['one', 'two', 'three', 'four'], answer: 'B' }),
  )
  const form = new FormData()
  form.set('format', 'jsonl')
  form.set('name', 'Hard choices')
  form.set('file', new Blob([rows.join('\n')]), 'tasks.jsonl')
  const reply = await fetch(`${baseUrl}/v1/catalog/imports`, { method: 'POST', body: form, headers: owner })
  const { id: importId } = ImportRecord.parse(await reply.json())
  const imported = () => client.call('getImport', { params: { import_id: importId } })
  await expect.poll(async () => (await imported()).status).toBe('imported')
  const { id } = await client.call('createConnection', {
    body: { name: 'poor', base_url: await startPoorModel(), model: 'poor', api_key: 'sk-none-1234' },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  const quoted = await quote(client, {
    model: { kind: 'connection', connection_id: id },
    profiles: [await profileId(client, (await imported()).slug ?? '', 'zero-shot')],
  })
  return runToEnd(client, baseUrl, (await submit(client, quoted.id, 'Poor answers')).id)
})

const test = base.extend<{ run: Awaited<ReturnType<typeof prepareRun>> }>({
  run: async ({ workstation }, use) => use(await prepareRun(workstation)),
})

test('a low score says what to change, and that it is below chance', async ({ app, run, complaints }, info) => {
  test.slow()
  await app.goto(`/runs/${run.id}`)
  const notice = (title: RegExp) => app.getByRole('status').filter({ hasText: title })
  await expect(notice(/Below chance/)).toContainText('is significantly below the 25.0 % of guessing')
  await expect(notice(/cut off at the token limit/)).toContainText('Raise the max output tokens')
  await expect(notice(/no answer extracted/)).toContainText('grade the stored answers again')
  expect(await violationsInBothSchemes(app)).toEqual([])
  for (const colorScheme of pictures ? (['light', 'dark'] as const) : []) {
    mkdirSync(pictures ?? '', { recursive: true })
    await app.emulateMedia({ colorScheme })
    await expect(app.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached()
    await app.screenshot({ path: `${pictures}/why-wrong-${colorScheme}.png` })
  }
  await app.getByRole('button', { name: 'Regrade with another extraction…' }).click()
  const dialog = app.getByRole('dialog', { name: 'Regrade stored answers' })
  await expect(dialog.getByRole('checkbox', { name: /^Change “/ }).first()).toBeChecked()
  await expect(dialog.getByRole('combobox', { name: 'Scorer' })).toHaveValue(/\(.+\/.+\)$/)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await dialog.screenshot({ path: info.outputPath('regrade.png') })
  await app.keyboard.press('Escape')
  await notice(/no answer extracted/)
    .getByRole('link', { name: 'Show them' })
    .click()
  await expect(app.getByRole('button', { name: 'Clear filter no answer extracted' })).toBeVisible()
  await expect(app.getByRole('grid', { name: 'Samples' }).getByText('That is hard to tell.').first()).toBeVisible()
  expect(complaints).toEqual([])
})
