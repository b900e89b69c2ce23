import { type ModelServer, startModelServer } from './support/model-server.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

let server: ModelServer
test.beforeAll(async () => {
  server = await startModelServer()
})
test.afterAll(() => server.close())

test('baselines are marked as not being models', async ({ app }) => {
  await app.goto('/models?kind=baseline')
  const grid = app.getByRole('grid', { name: 'Models' })
  await grid.getByRole('row').nth(1).click()
  await expect(grid.getByRole('row').nth(1).getByText('Baseline, not a model')).toBeVisible()
  await expect(
    app.getByRole('complementary', { name: 'Model' }).getByText('A baseline for reference, not a model.', { exact: false }),
  ).toBeVisible()
})

test('a connection is registered, checked, moved to another host and deleted, and its key is never shown', async ({ app, complaints }) => {
  const secret = 'sk-e2e-very-secret'
  await app.goto('/models/connections/new')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByText('Give a value').first()).toBeVisible()

  await app.getByLabel('Name', { exact: false }).first().fill('Test endpoint')
  await app.getByLabel('Base address').fill(server.baseUrl)
  await app.getByLabel('Model', { exact: false }).first().fill('tiny')
  await app.getByLabel('API key').fill(secret)
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByText('Works', { exact: true })).toBeVisible()
  await expect(app.getByText('reported by the provider')).toBeVisible()
  await expect(app.getByRole('region', { name: 'Check' }).getByRole('link', { name: 'New run with this model' })).toBeInViewport()
  await expect(app).toHaveURL(/\/models\/connections\/[0-9a-f-]{36}$/)
  await expect(app.getByRole('heading', { level: 1, name: 'Edit Test endpoint' })).toBeVisible()
  expect(server.keys).toContain(`Bearer ${secret}`)

  await app.getByRole('link', { name: 'Show in models' }).click()
  const panel = app.getByRole('complementary', { name: 'Model' })
  await expect(panel.getByText('stored, encrypted, never shown')).toBeVisible()
  expect(await app.content()).not.toContain(secret)

  await panel.getByRole('link', { name: 'Edit' }).click()
  await expect(app.getByLabel('API key')).toHaveValue('')
  await app.getByLabel('Base address').fill(server.baseUrl.replace('127.0.0.1', 'localhost'))
  await expect(app.getByText('Another host: the stored key will be cleared')).toBeVisible()
  await app.getByRole('button', { name: 'Save and check' }).click()
  await expect(app.getByText('Another host: the stored key will be cleared')).toBeHidden()
  await expect(app.getByText('Stored encrypted, sent only to this address', { exact: false })).toBeVisible()
  await expect.poll(() => server.keys.at(-1)).toBeUndefined()

  await app.getByRole('link', { name: 'Show in models' }).click()
  await panel.getByRole('button', { name: 'Delete' }).click()
  await app.getByRole('dialog', { name: 'Delete Test endpoint?' }).getByRole('button', { name: 'Delete connection' }).click()
  await expect(panel.getByText('Deleted', { exact: true })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Check now' })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a copy of a connection lists models with the copied key, and with the one that is typed', async ({ app, workstation }) => {
  const body = { name: 'With a key', base_url: server.baseUrl, model: 'tiny', api_key: 'sk-copied' }
  const { id } = await ownerClient(workstation).call('createConnection', { body })
  await app.goto(`/models/connections/new?like=${id}`)
  const list = app.getByRole('button', { name: 'List models' })
  await list.click()
  await expect(app.getByText('The endpoint lists 2 models.', { exact: false })).toBeVisible()
  expect(server.keys.at(-1)).toBe('Bearer sk-copied')
  await app.getByLabel('API key').fill('sk-typed')
  await list.click()
  await expect.poll(() => server.keys.at(-1)).toBe('Bearer sk-typed')
})

test('an address that Assay never calls is refused at its field', async ({ app }) => {
  await app.goto('/models/connections/new')
  await app.getByLabel('Name', { exact: false }).first().fill('Discard')
  await app.getByLabel('Base address').fill('http://127.0.0.1:9/v1')
  await app.getByLabel('Model', { exact: false }).first().fill('tiny')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByLabel('Base address')).toHaveAttribute('aria-invalid', 'true')
  await expect(app.getByText('Assay never calls it', { exact: false })).toBeVisible()
})

test('a check that fails says why and what to do', async ({ app }) => {
  const gone = await startModelServer()
  await gone.close()
  await app.goto('/models/connections/new')
  await app.getByLabel('Name', { exact: false }).first().fill('Nobody there')
  await app.getByLabel('Base address').fill(gone.baseUrl)
  await app.getByLabel('Model', { exact: false }).first().fill('tiny')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByRole('region', { name: 'Check' }).getByText('Failing', { exact: true })).toBeVisible()
  await app.goto('/')
  await expect(app.getByRole('region', { name: 'Needs you' }).getByRole('link', { name: 'Nobody there' })).toBeVisible()
})

test('a connection begins from a vendor’s preset, and a look at this machine says what it found', async ({ app, complaints }) => {
  await app.goto('/models/connections/new')
  await app.getByRole('combobox', { name: 'Vendor or runtime' }).click()
  await app.getByRole('option', { name: 'Anthropic' }).click()
  await expect(app.getByLabel('Base address')).toHaveValue('https://api.anthropic.com/v1')
  await app.getByText('Protocol, tests, headers, request settings, limits and rates').click()
  await expect(app.getByRole('checkbox', { name: 'Native tool calls' })).toBeChecked()
  await app.getByRole('combobox', { name: 'Model with known rates' }).click()
  await app.getByRole('option', { name: /^claude-sonnet-5-5/ }).click()
  await expect(app.getByLabel('Input, per million tokens', { exact: true })).toHaveValue('2')
  await app.getByRole('button', { name: 'Detect local models' }).click()
  await expect(app.getByText(/No model server answers on the usual ports|127\.0\.0\.1:\d+|\[::1\]:\d+/).first()).toBeVisible()
  await expect(app.getByRole('button', { name: 'Detect local models' })).not.toHaveAttribute('data-loading', 'true')
  await app.getByRole('combobox', { name: 'Protocol' }).click()
  await app.getByRole('option', { name: 'Agent-to-agent (A2A 1.0)' }).click()
  await expect(app.getByLabel('Address of the agent card')).toBeVisible()
  await expect(app.getByRole('textbox', { name: 'Model', exact: true })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a refused form leads to its first wrong field, and the check shows beside its button', async ({ app }) => {
  const name = app.getByLabel('Name', { exact: false }).first()
  await app.goto('/models/connections/new')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(name).toBeFocused()
  await name.fill('Beside')
  await app.getByLabel('Base address').fill(server.baseUrl)
  await app.getByLabel('Model', { exact: false }).first().fill('tiny')
  await app.getByText('Protocol, tests, headers, request settings, limits and rates').click()
  await app.getByLabel('Requests per minute').fill('-5')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByLabel('Requests per minute')).toBeFocused()
  await expect(app.getByLabel('Requests per minute')).toHaveValue('-5')
  await app.getByLabel('Requests per minute').fill('')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByText(/^Response received\. Latency /)).toBeInViewport()
})

test('the endpoint’s models are listed, and one prompt is tried beside the check', async ({ app, complaints }) => {
  await app.goto('/models/connections/new')
  const address = app.getByLabel('Base address')
  const list = app.getByRole('button', { name: 'List models' })
  // The button is never out of reach: what is wrong with the address is said at its field.
  for (const wrong of ['127.0.0.1:8000/v1', 'http://127.0.0.1:9/v1']) {
    await address.fill(wrong)
    await expect(address).not.toHaveAttribute('aria-invalid', 'true')
    await list.click()
    await expect(address).toHaveAttribute('aria-invalid', 'true')
  }
  await address.fill(server.baseUrl)
  await list.click()
  const listed = app.getByText('The endpoint lists 2 models.', { exact: false })
  await expect(listed).toBeVisible()
  await address.fill(`${server.baseUrl}/other`)
  await expect(listed).toBeHidden()
  await address.fill(server.baseUrl)
  await app.getByLabel('Model', { exact: false }).first().fill('tin')
  await app.getByRole('option', { name: 'tiny', exact: true }).click()
  await expect(app.getByLabel('Name', { exact: false }).first()).toHaveValue('tiny')
  await app.getByLabel('Name', { exact: false }).first().fill('Listed')
  await expect(app.getByLabel('Context tokens')).toHaveValue('4,096')
  await app.getByRole('button', { name: 'Register and check' }).click()
  await expect(app.getByText('Works', { exact: true })).toBeVisible()
  await app.getByRole('button', { name: 'Try', exact: true }).click()
  const answer = app.getByRole('status', { name: 'Answer' })
  await expect(answer).toContainText('ok')
  await expect(answer).toContainText('5 tokens in, 1 out')
  expect(await violations(app)).toEqual([])
  expect(complaints).toEqual([])
})
