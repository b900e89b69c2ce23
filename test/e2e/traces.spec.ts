import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { langfuseKeys } from '../support/trace-providers/langfuse-server.ts'
import { startProvider } from '../support/trace-providers/connected.ts'
import { fakeTraces, fixedUuid, type ScriptedServer } from '../support/trace-providers/scripted-server.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test.describe.configure({ mode: 'serial' })

/** A folder for pictures of every page in both schemes, for people to look at; none are made without it. */
const pictures = process.env['ASSAY_PICTURES']

async function picture(app: Page, name: string): Promise<void> {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.emulateMedia({ colorScheme })
    await expect(app.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached()
    await app.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` })
  }
}

let server: ScriptedServer
test.beforeAll(async () => {
  const items = Array.from({ length: 130 }, (_, i) => ({ id: fixedUuid(5, i), question: `Question ${i}?`, answer: `Answer ${i}` }))
  server = await startProvider('langfuse', fakeTraces(40, Date.now() - 3_600_000), items)
})
test.afterAll(() => server.close())
test.use({ viewport: { width: 1280, height: 800 } })

test('an empty workspace shows the two environment variables and the way to a provider', async ({ app, workstation }) => {
  await app.goto('/traces')
  await expect(app.getByText(`OTEL_EXPORTER_OTLP_ENDPOINT=${workstation.baseUrl}`)).toBeVisible()
  await expect(app.getByText('OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20', { exact: false })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'traces-empty')
  await app.getByRole('link', { name: 'Create an API key' }).click()
  await expect(app.getByRole('checkbox', { name: 'traces:write' })).toBeChecked()
  await expect(app.getByRole('checkbox', { checked: true }).and(app.getByRole('checkbox', { name: ':' }))).toHaveCount(1)
  await app.goBack()
  await app.getByRole('link', { name: 'Connect a provider' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Connect a tracing provider' })).toBeVisible()
})

test('a provider is connected in three steps, with its own words where it refuses', async ({ app, complaints }) => {
  await app.goto('/traces/integrations/new')
  await app.getByRole('radio', { name: 'Langfuse' }).check()
  await picture(app, 'traces-connect-1')
  await app.getByRole('button', { name: 'Next' }).click()
  await app.getByLabel('Address').fill(server.url)
  await app.getByLabel('Public key').fill(langfuseKeys.public_key)
  await app.getByRole('textbox', { name: 'Secret key' }).fill('sk-lf-wrong-0123456789')
  await app.getByRole('button', { name: 'List projects' }).click()
  await expect(app.getByText('The provider said: Invalid credentials. Confirm that you', { exact: false })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'traces-connect-refused')
  await app.getByRole('textbox', { name: 'Secret key' }).fill(langfuseKeys.secret_key)
  await app.getByRole('button', { name: 'List projects' }).click()
  await expect(app.getByRole('radio', { name: 'Acme / Support bot' })).toBeChecked()
  await picture(app, 'traces-connect-3')
  await app.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Support bot' })).toBeVisible()
  await app.getByRole('button', { name: 'Start backfill' }).click()
  await expect(app.getByText('120 spans of 40 traces', { exact: false })).toBeVisible()
  await expect(app.getByText('Connected', { exact: true })).toBeVisible()
  expect(await app.content()).not.toContain(langfuseKeys.secret_key)
  expect(complaints).toEqual([])
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'traces-integration')
})

test('a dataset of the provider is imported page by page, and again without copies', async ({ app }) => {
  await app.goto('/traces/integrations')
  await picture(app, 'traces-integrations')
  await app.getByRole('link', { name: 'Support bot' }).click()
  for (const [into, outcome] of [
    ['New dataset', '130 items read: 130 added'],
    ['GSM8K', '130 items read: 0 added, 0 revised, 130 unchanged'],
  ] as const) {
    await app.getByRole('button', { name: 'Import GSM8K' }).click()
    const dialog = app.getByRole('dialog', { name: 'Import GSM8K' })
    await dialog.getByRole('combobox', { name: 'Into' }).click()
    await app.getByRole('option', { name: into }).click()
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(dialog.getByText(outcome, { exact: false })).toBeVisible()
    await expect(dialog.getByText('Import complete')).toBeVisible()
    await picture(app, 'traces-import')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  }
})

test('traces are searched, opened, walked through by keyboard and added to a dataset', async ({ app, complaints }) => {
  await app.goto('/traces')
  const grid = app.getByRole('grid', { name: 'Traces' })
  await expect(grid.getByRole('row').nth(2)).toBeVisible()
  await picture(app, 'traces')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('searchbox', { name: 'Search traces' }).fill('39 + 39')
  await expect(grid.getByRole('row')).toHaveCount(2)
  await grid.getByText('What is 39 + 39?').click()
  const tree = app.getByRole('tree', { name: 'Spans' })
  await expect(tree.getByRole('treeitem')).toHaveCount(3)
  const panel = app.getByRole('complementary', { name: 'Span' })
  await expect(panel.getByText('It is 78.')).toBeVisible()
  await picture(app, 'trace')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await tree.focus()
  await app.keyboard.press('ArrowDown')
  await expect(panel.getByRole('heading', { name: 'chat' })).toBeVisible()
  await panel.getByRole('tab', { name: 'Details' }).click()
  await expect(panel.getByText('gpt-6')).toBeVisible()
  await app.getByRole('button', { name: 'Add to dataset' }).click()
  const dialog = app.getByRole('dialog', { name: 'Add this trace to a dataset' })
  await expect(dialog.getByRole('combobox', { name: 'Dataset' })).toBeFocused()
  // Its list would cover the dialog.
  await expect(app.getByRole('option', { name: 'GSM8K' })).toBeHidden()
  await dialog.getByRole('combobox', { name: 'Dataset' }).click()
  await app.getByRole('option', { name: 'GSM8K' }).click()
  await expect(dialog.getByRole('region', { name: 'Preview' }).getByText('What is 39 + 39?')).toBeVisible()
  await picture(app, 'traces-add')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await dialog.getByRole('button', { name: 'Add to dataset' }).click()
  await expect(app.getByText('Examples added: 1.', { exact: false })).toBeVisible()
  expect(complaints).toEqual([])
})

test('hostile content stays text', async ({ app, workstation, complaints }) => {
  const hostile = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>'
  const span = {
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    name: hostile,
    startTimeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
    attributes: [{ key: 'input.value', value: { stringValue: `${hostile} \u202Egnp.exe` } }],
  }
  await fetch(`${workstation.baseUrl}/v1/traces`, {
    method: 'POST',
    headers: { ...workstation.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  })
  await app.goto('/traces?source=otlp')
  await app.getByRole('grid', { name: 'Traces' }).getByText('<img src=x', { exact: false }).first().click()
  await expect(app.getByRole('complementary', { name: 'Span' }).getByText('<script>', { exact: false }).first()).toBeVisible()
  expect(await app.title()).not.toBe('owned')
  expect(await app.locator('img[src=x]').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('an integration that lost access is on Home and reconnects on its page', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { items } = await client.call('listTraceIntegrations', {})
  server.intercept = () => ({ status: 401, body: { message: 'Key revoked' } })
  const params = { integration_id: items[0]?.id ?? '' }
  await client.call('backfillTraces', { params, body: { from: new Date(Date.now() - 86_400_000).toISOString() } })
  await app.goto('/')
  await expect(app.getByText('Key revoked', { exact: false })).toBeVisible()
  await picture(app, 'traces-home')
  await app.getByRole('link', { name: 'Support bot' }).click()
  await expect(app.getByText('Reconnect to continue')).toBeVisible()
  await picture(app, 'traces-attention')
  expect(await violationsInBothSchemes(app)).toEqual([])
  server.intercept = () => null
  await app.getByLabel('Public key').fill(langfuseKeys.public_key)
  await app.getByRole('textbox', { name: 'Secret key' }).fill(langfuseKeys.secret_key)
  await app.getByRole('button', { name: 'Reconnect' }).last().click()
  await expect(app.getByText('Connected', { exact: true })).toBeVisible()
  await app.getByRole('button', { name: 'Disconnect' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(app.getByText('Disconnected', { exact: true })).toBeVisible()
})
