import { mkdirSync } from 'node:fs'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { Locator, Page } from '@playwright/test'
import { agentTrace } from '../support/agent-traces.ts'
import { recordSpans } from '../support/otlp.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test.describe.configure({ mode: 'serial' })
test.use({ viewport: { width: 1280, height: 900 } })

/** A folder for pictures of every page in both schemes, for people to look at; none are made without it. */
const pictures = process.env['ASSAY_PICTURES']

async function picture(app: Page, name: string): Promise<void> {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await app.emulateMedia({ colorScheme })
    await expect(app.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached()
    await app.screenshot({ path: `${pictures}/${name}-${colorScheme}.png`, fullPage: true })
  }
}

/** Clicks of a person from the trace to the compared result, and what was clicked. */
const mostClicks = 12

test('an OTLP trace of an agent becomes a test, and two models are compared on it in at most 12 clicks', async ({
  app,
  workstation,
  complaints,
}) => {
  await recordSpans(
    [
      agentTrace({
        name: 'refund of last night',
        asked: 'Refund order A1 please.',
        calls: [
          { tool: 'read_order', given: { id: 'A1' }, result: '{"status": "open"}' },
          { tool: 'refund', given: { id: 'A1' }, result: 'refunded' },
        ],
        answer: 'Order A1 was refunded.',
      }),
    ],
    new OTLPTraceExporter({ url: `${workstation.baseUrl}/v1/traces`, headers: { ...workstation.owner } }),
  )
  const routes = (await ownerClient(workstation).call('listModels', { query: { limit: 100 } })).items
  const titled = (id: string) => app.getByRole('option', { name: routes.find(route => route.route_id === id)?.title ?? id }).first()
  const clicks: string[] = []
  const click = async (what: string, target: Locator): Promise<void> => {
    await target.click()
    clicks.push(what)
  }
  await app.goto('/traces')
  await click('the trace', app.getByRole('grid', { name: 'Traces' }).getByText('refund of last night'))
  await click(
    'make a test',
    app.getByRole('link', { name: 'Make a test of this' }).or(app.getByRole('button', { name: 'Make a test of this' })),
  )
  await expect(app.getByText('Passes', { exact: true })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'worlds-draft')
  await click('save', app.getByRole('button', { name: 'Save' }))
  await expect(app.getByRole('table', { name: 'Tools' }).getByRole('row')).toHaveCount(3)
  await picture(app, 'worlds-environment')
  const byText = 'Quote Tools by text'
  await click('quote', app.getByRole('button', { name: byText }).or(app.getByRole('link', { name: byText })))
  await click('the model', app.getByRole('combobox', { name: 'Model', exact: true }).first())
  await click('one that is mostly right', titled('assay/oracle-90'))
  const others = app.getByRole('combobox', { name: 'Compare with' })
  await click('the other models', others)
  await click('one that never is', titled('assay/echo'))
  await others.press('Escape')
  await click('run', app.getByRole('button', { name: 'Run 2 models' }))
  await app.waitForURL(/\/run-groups\/[0-9a-f-]{36}$/)
  const compare = app.getByRole('button', { name: 'Compare 2 models' })
  await expect(compare).toBeEnabled()
  await picture(app, 'worlds-group')
  await click('compare', compare)
  await app.waitForURL(/\/compare\/[0-9a-f-]{36}$/)
  await expect(app.getByRole('heading', { level: 1, name: /^2 models on / })).toBeVisible()
  expect(clicks.length, clicks.join(', ')).toBeLessThanOrEqual(mostClicks)
  expect(complaints).toEqual([])
})

test('a person plays the model in the editor and sees what each turn changes', async ({ app, complaints }) => {
  await app.goto('/environments/new')
  await app.getByRole('button', { name: 'Start' }).click()
  await app.getByLabel('Arguments').fill('{"id": "A1"}')
  await app.getByRole('button', { name: 'Use tool' }).click()
  await app.getByRole('combobox', { name: 'Tool', exact: true }).click()
  await app.getByRole('option', { name: 'cancel_order' }).click()
  await app.getByRole('button', { name: 'Use tool' }).click()
  await expect(app.getByText('/orders/A1/status').first()).toBeVisible()
  await app.getByLabel('Answer').fill('Done.')
  await app.getByRole('button', { name: 'Answer' }).click()
  await expect(app.getByText('Passed', { exact: true })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'worlds-seat')
  expect(complaints).toEqual([])
})

test('a run is put on a schedule from its menu, paused and resumed', async ({ app, workstation, complaints }) => {
  const { items } = await ownerClient(workstation).call('listRuns', { query: { limit: 1 } })
  await app.goto(`/runs/${items[0]?.id ?? ''}`)
  await app.getByRole('button', { name: 'More for this run' }).click()
  await app.getByRole('menuitem', { name: 'Run on a schedule…' }).click()
  await app.getByRole('textbox', { name: 'Monthly limit' }).fill('5')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'schedules-new')
  await app.getByRole('button', { name: 'Create schedule' }).click()
  await app.waitForURL(/\/schedules\/[0-9a-f-]{36}$/)
  await expect(app.getByText('Every day at 06:00', { exact: false })).toBeVisible()
  await app.getByRole('button', { name: 'Pause' }).click()
  await expect(app.getByRole('button', { name: 'Resume' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'schedules-one')
  await app.getByRole('button', { name: 'Resume' }).click()
  await expect(app.getByRole('button', { name: 'Pause' })).toBeVisible()
  await app.getByRole('link', { name: 'Schedules' }).first().click()
  await expect(app.getByRole('table', { name: 'Schedules' }).getByRole('row')).toHaveCount(2)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'schedules')
  expect(complaints).toEqual([])
})

test('a webhook is registered, its secret is shown once, and a test that fails says why', async ({ app, complaints }) => {
  await app.goto('/workspace/webhooks')
  await app.getByRole('button', { name: 'New webhook' }).first().click()
  const dialog = app.getByRole('dialog', { name: 'New webhook' })
  await dialog.getByLabel('Name').fill('Team chat')
  // Nothing listens there.
  await dialog.getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(dialog.getByText('address', { exact: false }).first()).toBeVisible()
  await dialog.getByLabel('Address').fill('http://127.0.0.1:28123/hook')
  await dialog.getByRole('button', { name: 'Register' }).click()
  const secret = await app.getByTestId('secret').textContent()
  expect(secret).toMatch(/^whsec_/)
  await app.getByRole('button', { name: 'I have saved it' }).click()
  expect(await app.content()).not.toContain(secret ?? '?')
  await app.getByRole('button', { name: 'Send test event' }).click()
  await app.getByRole('button', { name: 'Deliveries' }).click()
  await expect(app.getByRole('table', { name: 'Deliveries of Team chat' }).getByText('Not delivered')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'webhooks')
  expect(complaints.filter(text => !text.includes('422'))).toEqual([])
})

test('scores over time are drawn by model with a table beside', async ({ app, complaints }) => {
  await app.goto('/leaderboard')
  await app.getByRole('link', { name: 'Scores over time' }).click()
  const chart = app.getByRole('figure', { name: /over time$/ })
  await expect(chart.getByRole('link')).not.toHaveCount(0)
  expect(await violationsInBothSchemes(app)).toEqual([])
  await picture(app, 'score-history')
  await app.getByRole('button', { name: /Show as table/ }).click()
  await expect(app.getByRole('region', { name: /over time$/ }).getByText('Echo', { exact: true })).toBeVisible()
  expect(complaints).toEqual([])
})
