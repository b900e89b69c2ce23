import { createServer } from 'node:http'
import { z } from 'zod'
import { listen } from '../journeys/model-server/listen.ts'
import { patience } from '../support/machine-speed.ts'
import { countClicks } from './support/count-clicks.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test.use({ viewport: { width: 1280, height: 800 } })

const Asked = z.object({ model: z.string() })
const key = 'sk-of-the-first-connection'

/** Lists models, of which `broken` cannot be called, and answers "ok" to whoever has the key. */
async function startEndpoint(models = ['alpha', 'beta', 'gamma', 'delta', 'broken']) {
  const keys = new Map<string, string | undefined>()
  const server = createServer((request, response) => {
    const answer = async () => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      response.setHeader('content-type', 'application/json')
      if (request.url === '/v1/models') return response.end(JSON.stringify({ data: models.map(id => ({ id })) }))
      // A check also looks for the context length, at addresses that this server does not have.
      if (request.method === 'GET') return response.writeHead(404).end()
      const { model } = Asked.parse(JSON.parse(text))
      keys.set(model, request.headers.authorization)
      if (model === 'broken') return response.writeHead(404).end(JSON.stringify({ error: { message: 'no such model' } }))
      const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }]
      return response.end(JSON.stringify({ choices, usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } }))
    }
    void answer()
  })
  return { ...(await listen(server, 0)), keys }
}

test('four models of one endpoint are compared from one connection in at most 10 clicks', async ({ app, workstation, complaints }) => {
  const endpoint = await startEndpoint()
  const client = ownerClient(workstation)
  const body = { name: 'Only connection', base_url: `${endpoint.baseUrl}/v1`, model: 'alpha', api_key: key }
  const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '1000000' }
  const { id } = await client.call('createConnection', { body: { ...body, rates } })
  await client.call('checkConnection', { params: { connection_id: id } })
  const clicks = await countClicks(app)
  await app.goto('/quotes/new')
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Only connection' }).click()
  await app.getByRole('button', { name: 'Models of this endpoint' }).click()
  const dialog = app.getByRole('dialog', { name: 'Models of this endpoint' })
  for (const model of ['beta', 'gamma', 'delta']) await dialog.getByRole('checkbox', { name: model }).click()
  await dialog.getByRole('button', { name: 'Add 3 models' }).click()
  await expect(dialog).toBeHidden()
  await app.getByRole('checkbox', { name: 'Arithmetic word problems · Zero-shot' }).click()
  await app.getByRole('button', { name: 'Run 4 models' }).click()
  await app.getByRole('button', { name: 'Compare 4 models' }).click({ timeout: 60_000 * patience() })
  await expect(app.getByRole('heading', { level: 1, name: /^4 models on / })).toBeVisible()
  expect(clicks()).toBeGreaterThan(0)
  expect(clicks()).toBeLessThanOrEqual(10)
  expect(Object.fromEntries(endpoint.keys)).toEqual(
    Object.fromEntries(['alpha', 'beta', 'gamma', 'delta'].map(model => [model, `Bearer ${key}`])),
  )
  // What one model costs says nothing about another.
  const { items } = await client.call('listConnections', { query: {} })
  const ratesOf = Object.fromEntries(items.map(one => [one.model, one.rates]))
  expect(ratesOf).toEqual({ alpha: rates, beta: null, gamma: null, delta: null })
  expect(complaints).toEqual([])
  await endpoint.close()
})

test('a long list keeps its place while it is narrowed, and says that it is not whole', async ({ app, workstation }) => {
  const endpoint = await startEndpoint(Array.from({ length: 3000 }, (_, i) => `vendor/model-${i}`))
  const client = ownerClient(workstation)
  const body = { name: 'Long list', base_url: `${endpoint.baseUrl}/v1`, model: 'vendor/model-0' }
  const { id } = await client.call('createConnection', { body })
  await client.call('checkConnection', { params: { connection_id: id } })
  await app.goto('/quotes/new')
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Long list' }).click()
  await app.getByRole('button', { name: 'Models of this endpoint' }).click()
  const dialog = app.getByRole('dialog', { name: 'Models of this endpoint' })
  const find = dialog.getByRole('textbox', { name: 'Find a model' })
  await expect(dialog.getByText('More models than can be listed.', { exact: false })).toBeVisible()
  const before = await find.boundingBox()
  await find.fill('model-77')
  await expect(dialog.getByRole('checkbox')).toHaveCount(11)
  expect(await find.boundingBox()).toEqual(before)
  await endpoint.close()
})

test('a model that cannot be called is named, and those that have a connection get no second one', async ({ app, workstation }) => {
  const endpoint = await startEndpoint()
  const client = ownerClient(workstation)
  const base_url = `${endpoint.baseUrl}/v1`
  for (const model of ['alpha', 'beta']) {
    const { id } = await client.call('createConnection', { body: { name: `Named ${model}`, base_url, model } })
    await client.call('checkConnection', { params: { connection_id: id } })
  }
  await app.goto('/quotes/new')
  await app.getByRole('combobox', { name: 'Model' }).click()
  await app.getByRole('option', { name: 'Named alpha' }).click()
  await app.getByRole('button', { name: 'Models of this endpoint' }).click()
  const dialog = app.getByRole('dialog', { name: 'Models of this endpoint' })
  await expect(dialog.getByRole('checkbox', { name: 'beta' })).toHaveAccessibleDescription('connection Named beta')
  await dialog.getByRole('textbox', { name: 'Find a model' }).fill('b')
  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  expect(await violationsInBothSchemes(app)).toEqual([])
  for (const model of ['beta', 'broken']) await dialog.getByRole('checkbox', { name: model }).click()
  // Twice: what failed is checked again, not registered again.
  for (const count of [2, 1]) {
    await dialog.getByRole('button', { name: `Add ${count} ${count === 1 ? 'model' : 'models'}` }).click()
    await expect(dialog.getByText('broken can’t be used')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add 1 model' })).toBeEnabled()
  }
  await expect(dialog.getByRole('checkbox', { name: 'beta' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(app.getByRole('complementary', { name: 'Your selection' })).toContainText('Named beta')
  const { items } = await client.call('listConnections', { query: {} })
  expect(
    items
      .filter(one => one.base_url === base_url)
      .map(({ model }) => model)
      .toSorted(),
  ).toEqual(['alpha', 'beta', 'broken'])
  await endpoint.close()
})

test('a refused model field shows why, not the list over it', async ({ app }) => {
  const endpoint = await startEndpoint()
  await app.goto('/models/connections/new')
  await app.getByLabel('Name').fill('Without a model')
  await app.getByLabel('Base address').fill(`${endpoint.baseUrl}/v1`)
  await app.getByRole('button', { name: 'List models' }).click()
  await expect(app.getByText('The endpoint lists 5 models.')).toBeVisible()
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.locator('input:focus')).toHaveAttribute('aria-invalid', 'true')
  await expect(app.getByRole('option', { name: 'alpha' })).toBeHidden()
  await app.keyboard.type('al')
  await expect(app.getByRole('option', { name: 'alpha' })).toBeVisible()
  await endpoint.close()
})
