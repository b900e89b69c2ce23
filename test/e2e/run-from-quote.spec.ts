import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { z } from 'zod'
import { Results } from '../../src/contract/runs/results.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { openFullQuote } from './support/full-quote.ts'
import { ownerClient } from './support/owner-client.ts'
import { violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

const benchmark = 'arithmetic-word-problems'

/** What the tests read of the JSON export. */
const RunExport = z.object({ results: Results, samples: z.array(z.unknown()) })

/** Fills the form in for the oracle on 120 tasks and asks for the quote. */
async function getQuote(app: Page, profile: string): Promise<void> {
  await app.goto(`/quotes/new?profile=${encodeURIComponent(profile)}&route=assay/oracle-75`)
  await app.getByRole('textbox', { name: 'Tasks per profile' }).fill('120')
  await openFullQuote(app)
}

test('Enter chooses the model whose name is typed', async ({ app }) => {
  await app.goto('/quotes/new')
  const field = app.getByRole('combobox', { name: 'Model' })
  await field.pressSequentially('first opt')
  await expect(app.getByRole('option')).toHaveCount(1)
  // The marked option has a second line on a colored ground.
  expect(await violationsInBothSchemes(app)).toEqual([])
  await field.press('Enter')
  await expect(field).toHaveValue('First option')
  await field.press('Tab')
  await expect(field).toHaveValue('First option')
  // The one letter that opens the list.
  await app.reload()
  await field.pressSequentially('q')
  await expect(app.locator('[data-combobox-selected]')).toContainText('Most frequent answer')
  await field.press('Enter')
  await expect(field).toHaveValue('Most frequent answer')
})

test('Tab keeps the models that typing leaves, and chooses none for a field that was emptied', async ({ app }) => {
  await app.goto('/quotes/new')
  const field = app.getByRole('combobox', { name: 'Model' })
  await field.pressSequentially('first opt')
  await app.keyboard.press('Tab')
  await expect(field).toHaveValue('First option')
  const others = app.getByRole('combobox', { name: 'Compare with' })
  await expect(others).toBeFocused()
  await app.keyboard.type('(50')
  await app.keyboard.press('Tab')
  await expect(app.getByRole('searchbox', { name: 'Search benchmarks' })).toBeFocused()
  const chosen = app.locator('.mantine-MultiSelect-pill')
  await expect(chosen).toHaveText(['Simulated model (50 %)'])
  await others.fill('(50')
  await app.keyboard.press('Tab')
  await expect(chosen).toHaveCount(1)
  await field.fill('')
  await app.keyboard.press('Tab')
  await expect(field).toHaveValue('First option')
  // The window is left by Ctrl, the field back by Shift.
  await field.fill('echo')
  await expect(app.getByRole('option')).toHaveCount(1)
  await field.dispatchEvent('keydown', { key: 'Tab', ctrlKey: true })
  await field.dispatchEvent('keydown', { key: 'Tab', isComposing: true })
  await expect(app.getByRole('option', { name: 'Echo' })).toHaveAttribute('aria-selected', 'false')
  await app.keyboard.press('Shift+Tab')
  await expect(field).toHaveValue('Echo')
})

test('what is filled in stays while a model is connected, and is gone once it runs', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  await app.goto(`/quotes/new?profile=${encodeURIComponent(await profileId(client, benchmark, 'zero-shot'))}`)
  const count = app.getByRole('textbox', { name: 'Tasks per profile' })
  await count.fill('7')
  await app.getByRole('link', { name: 'local runtime or a connection' }).click()
  await app.getByText('First option', { exact: true }).first().click()
  await app.getByRole('link', { name: 'New run with this model' }).click()
  await expect(app.getByRole('combobox', { name: 'Model' })).toHaveValue('First option')
  await expect(count).toHaveValue('7')
  await expect(app.getByRole('complementary', { name: 'Your selection' })).toContainText('Zero-shot 7 tasks')
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(app).toHaveURL(/\/runs\/[\da-f-]{36}$/)
  await app.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
  await app.getByRole('link', { name: 'New run', exact: true }).click()
  await expect(count).toHaveValue('200')
  await expect(app.getByText('No profile yet')).toBeVisible()
  await count.fill('9')
  await app.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
  await app.getByRole('link', { name: 'New run', exact: true }).click()
  await expect(app.getByText('Filled in from your unfinished form')).toBeVisible()
  await expect(count).toHaveValue('9')
  await app.getByRole('button', { name: 'Start over' }).click()
  await expect(count).toHaveValue('200')
  await app.getByRole('button', { name: 'Undo' }).click()
  await expect(count).toHaveValue('9')
})

test('a link that names another benchmark begins with nothing of an unfinished form', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { items } = await client.call('listBenchmarks', { query: { limit: 100 } })
  const other = items.find(({ slug, quote_availability: { status } }) => slug !== benchmark && status === 'ready_for_quote')
  await app.goto(`/quotes/new?profile=${encodeURIComponent(await profileId(client, benchmark, 'zero-shot'))}`)
  const settings = app.getByText('Execution settings')
  const epochs = app.getByRole('textbox', { name: 'Epochs' })
  await settings.click()
  await epochs.fill('5')
  const main = app.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'Runs' }).click()
  await app.getByRole('link', { name: 'New run', exact: true }).click()
  // What is not the default is in view.
  await expect(epochs).toHaveValue('5')
  await main.getByRole('link', { name: 'Catalog' }).click()
  await app
    .getByRole('grid', { name: 'Benchmarks' })
    .getByText(other?.title ?? '', { exact: true })
    .click()
  await app.getByRole('link', { name: 'Open page' }).click()
  await app.locator('.page-header').getByRole('link', { name: 'Quote', exact: true }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'New run' })).toBeVisible()
  await expect(app.getByText('Filled in from your unfinished form')).toHaveCount(0)
  await settings.click()
  await expect(epochs).toHaveValue('1')
})

test('"Run again" begins with the run each time, whatever was tried before', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const model = { kind: 'managed' as const, route_id: 'assay/first-option' }
  const coverage = { mode: 'sample' as const, sample_count: 5, seed: 1 }
  const { id } = await quote(client, { model, profiles: [await profileId(client, benchmark, 'zero-shot')], coverage })
  const run = await submit(client, id, 'Five tasks')
  await runToEnd(client, workstation.baseUrl, run.id)
  await app.goto(`/runs/${run.id}`)
  const again = async (): Promise<void> => {
    await app.getByRole('button', { name: 'More for this run' }).click()
    await app.getByRole('menuitem', { name: 'Run again', exact: true }).click()
  }
  const count = app.getByRole('textbox', { name: 'Tasks per profile' })
  await again()
  await count.fill('7')
  await app.goBack()
  await again()
  await expect(count).toHaveValue('5')
})

test('quote, submit once, watch, read the results and a transcript', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const profile = await profileId(client, benchmark, 'zero-shot')

  await app.goto('/quotes/new')
  const needed = app.getByRole('list', { name: 'Still needed' })
  await expect(needed).toContainText('Choose a model.')
  await expect(needed).toContainText('Choose at least one profile.')
  await app.getByRole('textbox', { name: 'Tasks per profile' }).fill('-7')
  await expect(needed).toContainText('Tasks per profile: -7 is below 1. Give 1 or more.')
  await app.getByRole('textbox', { name: 'Tasks per profile' }).fill('12')
  await expect(app.getByRole('slider')).toHaveAttribute('aria-valuetext', '12 tasks')

  await getQuote(app, profile)
  await expect(app.getByRole('timer')).toHaveText(/Open for (30|29) min/)
  await expect(app.getByRole('region', { name: 'Compatibility', exact: true }).getByText('Compatible', { exact: true })).toBeVisible()
  await expect(app.getByText('not a model').first()).toBeVisible()
  await expect(app.getByRole('table', { name: 'Cost by component' })).toContainText(
    'Spending limit: the run stops before it would charge more',
  )
  await expect(app.getByRole('table', { name: 'What a run of this size can tell' })).toContainText('120')

  const before = (await client.call('listRuns', { query: {} })).items.length
  await app.getByLabel('Name of the run').fill('Twice clicked')
  await app.getByRole('button', { name: 'Run', exact: true }).dblclick()
  await app.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
  await expect(app.getByRole('heading', { level: 1, name: 'Twice clicked' })).toBeVisible()
  await expect(app.getByRole('region', { name: 'Score', exact: true })).toBeVisible()
  expect((await client.call('listRuns', { query: {} })).items.length).toBe(before + 1)

  const runId = app.url().split('/').at(-1) ?? ''
  const results = await client.call('getRunResults', { params: { run_id: runId }, query: {} })
  const [primary] = results.metrics.filter(metric => metric.primary)
  const percent = ((primary?.estimate.mean ?? 0) * 100).toFixed(1)
  await expect(app.locator('dl').filter({ hasText: 'Exact match' }).first()).toContainText(`${percent} %`)
  await expect(app.locator('dl').filter({ hasText: 'Exact match' }).first()).toContainText('(n = 120)')
  await expect(app.getByRole('table', { name: 'All metrics' }).getByRole('row')).toHaveCount(1 + results.metrics.length)
  await expect(app.getByText('This is a sample', { exact: false })).toBeVisible()
  const scores = app.getByRole('region', { name: 'Score', exact: true })
  await scores.getByRole('button', { name: /Show as table/ }).click()
  await expect(scores.getByRole('table')).toContainText('120')

  await app.getByRole('link', { name: 'Samples 120' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Twice clicked' })).toBeFocused()
  const grid = app.getByRole('grid', { name: 'Samples' })
  await grid.getByRole('row').nth(1).waitFor()
  await grid.focus()
  await app.keyboard.press('j')
  await app.keyboard.press('Enter')
  const transcript = app.getByRole('complementary', { name: 'Transcript' })
  const second = (await client.call('listSamples', { params: { run_id: runId }, query: { limit: 2 } })).items[1]
  await expect(transcript.getByRole('heading', { name: second?.task_id ?? '' })).toBeVisible()
  await expect(transcript.locator('mark')).toHaveText(second?.scores[0]?.answer ?? '')
  await transcript.getByText('Formatted (r)').click()
  await expect(transcript.getByText('as the answer. Raw shows where.')).toBeVisible()
  await expect(transcript.getByRole('region', { name: 'Prompt as sent' })).toContainText('User')

  await app.goBack()
  await app.goBack()
  await expect(app).toHaveURL(/\/quotes\//)
  await expect(app.getByRole('link', { name: 'Open the run' })).toHaveAttribute('href', `/runs/${runId}`)
  expect(complaints).toEqual([])
})

test('one page follows each choice and runs what it shows', async ({ app, workstation, complaints }) => {
  const profile = await profileId(ownerClient(workstation), benchmark, 'zero-shot')
  await app.goto(`/quotes/new?profile=${encodeURIComponent(profile)}&route=assay/oracle-75`)
  const selection = app.getByRole('complementary', { name: 'Your selection' })
  await expect(selection).toContainText(/200 calls, .*\$0\.00, detects \d+\.\d points or more/)
  await expect(app.getByText(/^(\d+) of \1 checks passed$/)).toBeVisible()
  await expect(app.getByRole('table', { name: 'Passed checks' })).toBeHidden()
  await expect(app.getByRole('region', { name: 'Example prompt' })).toContainText('User')
  await app.getByRole('textbox', { name: 'Tasks per profile' }).fill('50')
  await expect(selection).toContainText('50 calls')
  await expect(selection.getByLabel('Name of the run')).toHaveValue(/50 tasks$/)
  await selection.getByRole('button', { name: 'Run', exact: true }).dblclick()
  await app.waitForURL(/\/runs\/[0-9a-f-]{36}$/)
  await expect(app.getByRole('region', { name: 'Score', exact: true })).toContainText('n = 50')
  expect(complaints).toEqual([])
})

test('a run is saved as HTML, CSV and JSON', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  await getQuote(app, await profileId(client, benchmark, 'zero-shot'))
  await app.getByLabel('Name of the run').fill('To be exported')
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  const button = app.getByRole('button', { name: 'Export' })
  await button.waitFor()

  const save = async (item: string): Promise<Download> => {
    await button.click()
    const [download] = await Promise.all([app.waitForEvent('download'), app.getByRole('menuitem', { name: item }).click()])
    await expect(app.getByText(`Saved ${download.suggestedFilename()}.`)).toBeVisible()
    return download
  }
  const html = await save('Report (HTML)')
  expect(html.suggestedFilename()).toBe('To-be-exported.html')
  expect(readFileSync(await html.path(), 'utf8')).toContain('To be exported')
  const csv = await save('Samples (CSV)')
  expect(csv.suggestedFilename()).toBe('To-be-exported.csv')
  expect(
    readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n').length,
  ).toBeGreaterThan(120)
  const json = await save('Everything (JSON)')
  const { results, samples } = RunExport.parse(JSON.parse(readFileSync(await json.path(), 'utf8')))
  expect(results.run_id).toBe(app.url().split('/').at(-1))
  expect(samples).toHaveLength(120)
})

test('in the desktop app a run is saved through its dialogs, also as PDF', async ({ app, workstation }) => {
  await app.addInitScript(() => {
    const given: unknown[] = []
    const bridge = {
      platform: 'linux',
      saveFile: async (name: string, data: Uint8Array | string) => (given.push([name, data.length > 0]), { outcome: 'cancelled' }),
      printPdf: async (html: string, name: string) => (given.push([name, html.includes('On the desktop')]), { outcome: 'saved', name }),
      onOpen: () => () => undefined,
      onCommand: () => () => undefined,
    }
    Object.assign(globalThis, { assay: bridge, given })
  })
  await getQuote(app, await profileId(ownerClient(workstation), benchmark, 'zero-shot'))
  await app.getByLabel('Name of the run').fill('On the desktop')
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  const button = app.getByRole('button', { name: 'Export' })
  await button.click()
  await app.getByRole('menuitem', { name: 'Samples (CSV)' }).click()
  await expect(app.getByText('Preparing On-the-desktop.csv')).toHaveCount(0)
  await button.click()
  await app.getByRole('menuitem', { name: 'Report (PDF)' }).click()
  await expect(app.getByText('Saved On-the-desktop.pdf.')).toBeVisible()
  expect(await app.evaluate(() => Reflect.get(globalThis, 'given'))).toEqual([
    ['On-the-desktop.csv', true],
    ['On-the-desktop.pdf', true],
  ])
})
