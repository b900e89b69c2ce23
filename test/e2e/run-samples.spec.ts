import { readFile } from 'node:fs/promises'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { SampleDetail } from '../../src/contract/runs/samples.schemas.ts'
import { slowness } from '../support/machine-speed.ts'
import { mainThreadMs, measureScroll } from '../support/measure-page.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { serveManySamples } from './support/many-samples.ts'
import { ownerClient } from './support/owner-client.ts'
import { connectReplay, submitReplay } from './support/slow-run.ts'
import { violations } from './support/violations.ts'
import { expect, prepare, test as base } from './support/workstation.ts'

/** A finished run of the oracle over a whole benchmark, made once for all tests of this file. */
const prepareRun = prepare(async workstation => {
  const client = ownerClient(workstation)
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
  })
  return await runToEnd(client, workstation.baseUrl, (await submit(client, id, 'Samples to read')).id)
})

const test = base.extend<{ finished: Run }>({
  finished: async ({ workstation }, use) => use(await prepareRun(workstation)),
})

test('the list is filtered and sorted by the service, and the address keeps it', async ({ app, finished, workstation }) => {
  const client = ownerClient(workstation)
  await app.goto(`/runs/${finished.id}/samples`)
  const grid = app.getByRole('grid', { name: 'Samples' })
  await app.getByRole('combobox', { name: 'Outcome' }).click()
  await app.getByRole('option', { name: 'Wrong' }).click()
  await expect(app).toHaveURL(/outcome=wrong/)
  await expect(grid.getByRole('row').nth(1)).toContainText('Wrong')
  await expect(grid.getByText('Correct')).toHaveCount(0)

  await grid.getByRole('button', { name: 'Tokens out' }).click()
  await grid.getByRole('button', { name: 'Tokens out' }).click()
  await expect(app).toHaveURL(/sort=-output_tokens/)
  const query = { outcome: 'wrong', sort: '-output_tokens', limit: 1 } as const
  const [longest] = (await client.call('listSamples', { params: { run_id: finished.id }, query })).items
  await expect(grid.getByRole('row').nth(1)).toContainText(longest?.task_id ?? 'no sample')

  await app.reload()
  await expect(grid.getByRole('row').nth(1)).toContainText(longest?.task_id ?? 'no sample')
  await expect(app.getByRole('combobox', { name: 'Outcome' })).toHaveValue('Wrong')

  await app.getByLabel('Search samples').fill('no such text anywhere')
  await expect(app.getByText('No samples match these filters')).toBeVisible()
  await app.getByRole('button', { name: 'Clear filters' }).click()
  await expect(grid.getByRole('row').nth(1)).toBeVisible()
})

test('answers with several lines keep their row, and their panel its width', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/echo' },
    profiles: [await profileId(client, 'reading-comprehension', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 5, seed: 1 },
  })
  const run = await runToEnd(client, workstation.baseUrl, (await submit(client, id, 'Answers with several lines')).id)
  await app.goto(`/runs/${run.id}/samples`)
  const row = app.getByRole('grid', { name: 'Samples' }).getByRole('row').nth(1)
  await expect(row.getByText('⏎').first()).toBeVisible()
  expect((await row.boundingBox())?.height).toBeLessThan(40)
  await row.getByRole('rowheader').click()
  const verdict = app.getByRole('complementary', { name: 'Transcript' }).locator('.samples-verdict')
  await expect(verdict).toContainText('expected')
  expect(await verdict.evaluate(bar => bar.scrollWidth - bar.clientWidth)).toBe(0)
})

test('samples are walked through by keyboard, in the list and in the transcript', async ({ app, finished, workstation }) => {
  const client = ownerClient(workstation)
  const { items } = await client.call('listSamples', { params: { run_id: finished.id }, query: { limit: 4 } })
  const tasks = items.map(item => item.task_id)
  await app.goto(`/runs/${finished.id}/samples`)
  const grid = app.getByRole('grid', { name: 'Samples' })
  const heading = app.getByRole('complementary', { name: 'Transcript' }).getByRole('heading', { level: 2 }).first()
  await grid.getByRole('row').nth(1).waitFor()
  await grid.focus()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')
  await expect(heading).toContainText(tasks[1] ?? 'no sample')
  // Beside a transcript the list keeps to its width.
  const outside = () => grid.locator('xpath=..').evaluate(list => list.scrollWidth - list.clientWidth)
  await expect.poll(outside).toBe(0)
  // The browser of the tests draws no scroll bar, which takes 15 pixels elsewhere.
  await app.setViewportSize({ width: 1280, height: 800 })
  const spare = () => grid.evaluate(table => (table.parentElement?.clientWidth ?? 0) - Number.parseFloat(table.style.minWidth))
  await expect.poll(spare).toBeGreaterThanOrEqual(15)
  await app.keyboard.press('j')
  await expect(heading).toContainText(tasks[2] ?? 'no sample')

  await app.getByRole('region', { name: 'Transcript details' }).focus()
  await app.keyboard.press('j')
  await expect(heading).toContainText(tasks[3] ?? 'no sample')
  await app.keyboard.press('k')
  await expect(heading).toContainText(tasks[2] ?? 'no sample')
  await app.keyboard.press('Escape')
  await expect(app.getByRole('complementary', { name: 'Transcript' })).toHaveCount(0)
  await expect(grid).toBeFocused()

  await app.goto(`/runs/${finished.id}/samples/${items[1]?.id}`)
  const title = app.getByRole('heading', { level: 1 })
  await expect(title).toContainText(tasks[1] ?? 'no sample')
  await app.keyboard.press('j')
  await expect(title).toContainText(tasks[2] ?? 'no sample')
  await app.getByRole('link', { name: 'Previous (k)' }).click()
  await expect(title).toContainText(tasks[1] ?? 'no sample')
})

test('what a model says is text: no element, no request, no hidden character', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  const hostile = '<img src="http://exfil.invalid/?q=1" onerror="alert(1)"> ![a](http://exfil.invalid/x) \u202Eevil\u202C #### 7'
  const replay = await connectReplay(client, { answers: () => hostile })
  try {
    const run = await runToEnd(client, workstation.baseUrl, (await submitReplay(client, replay, 3, 'Hostile <b>name</b>')).id)
    const elsewhere: string[] = []
    app.on('request', request => {
      if (!request.url().startsWith(workstation.baseUrl)) elsewhere.push(request.url())
    })
    app.on('dialog', dialog => elsewhere.push(`dialog ${dialog.message()}`))
    const { items } = await client.call('listSamples', { params: { run_id: run.id }, query: {} })
    await app.goto(`/runs/${run.id}/samples?open=${items[0]?.id}`)
    const output = app.getByRole('complementary', { name: 'Transcript' }).getByRole('region', { name: 'Output' })
    await expect(output.locator('pre')).toContainText(
      '<img src="http://exfil.invalid/?q=1" onerror="alert(1)"> ![a](http://exfil.invalid/x) ⟨U+202E⟩evil⟨U+202C⟩',
    )
    // Formatted it is still no element of the text, no link and no picture.
    await app.keyboard.press('r')
    await expect(output.locator('.markdown')).toContainText('[image: a http://exfil.invalid/x] ⟨U+202E⟩evil⟨U+202C⟩ #### 7')
    await expect(output.locator('.markdown').locator('img, a, script')).toHaveCount(0)
    await app.keyboard.press('r')
    await expect(app.locator('main img')).toHaveCount(0)
    await expect(app.getByRole('heading', { level: 1, name: 'Hostile <b>name</b>' })).toBeVisible()
    const attempts = app.getByRole('region', { name: 'Attempts' })
    await expect(attempts.getByText('"finish_reason"')).toBeVisible()
    await attempts.getByRole('radiogroup', { name: 'Response shown' }).getByText('Raw').click()
    await expect(attempts.locator('pre').last()).toContainText('{"id":')
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    await replay.server.close()
  }
})

test('100,000 samples are scrolled through with few rows in the document', async ({ app, finished, workstation }) => {
  const client = ownerClient(workstation)
  const [first] = (await client.call('listSamples', { params: { run_id: finished.id }, query: { limit: 1 } })).items
  if (!first) throw new Error('The finished run has samples.')
  await serveManySamples(app, first, 100_000)
  await app.goto(`/runs/${finished.id}/samples`)
  const grid = app.getByRole('grid', { name: 'Samples' })
  await grid.getByRole('row').nth(1).waitFor()
  await grid.focus()
  await expect(app.getByRole('status').filter({ hasText: '100,000 rows' })).toBeVisible()
  await app.keyboard.press('End')
  await expect(grid.getByRole('row').filter({ hasText: 'task-100000' })).toBeVisible()
  expect(await grid.locator('tr').count()).toBeLessThan(80)
  await app.keyboard.press('Home')
  await expect(grid.getByRole('row').filter({ hasText: 'task-1' }).first()).toBeVisible()

  await app.getByRole('textbox', { name: /Go to row/ }).fill('50000')
  await app.keyboard.press('Enter')
  await expect(grid.getByRole('row').filter({ hasText: 'task-50000' })).toBeVisible()

  await app.keyboard.press('Escape')
  const { medianMs, p95Ms, cpuMsPerFrame } = await measureScroll(app, grid.locator('xpath=..'), 90, 320)
  console.log(
    `100,000 samples: ${cpuMsPerFrame.toFixed(1)} ms of processor time a frame; median frame ${medianMs.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`,
  )
  // 20 ms is the aim and what the reference machine takes.
  expect(cpuMsPerFrame).toBeLessThan(40 * slowness())
})

test('the result page of 100,000 samples is drawn in less than a second of processor time', async ({ app, finished }) => {
  const codes = Array.from({ length: 100_000 }, (_, place) => (place % 4 === 0 ? 'w' : 'c')).join('')
  await app.route('**/outcomes', route => route.fulfill({ json: { codes } }))
  await app.goto(`/runs/${finished.id}/samples`)
  await app.getByRole('grid', { name: 'Samples' }).waitFor()
  const spent = await mainThreadMs(app, async () => {
    await app.getByRole('link', { name: 'Results' }).click()
    await expect(app.getByRole('img', { name: /100,000 samples: 75,000 correct, 25,000 wrong/ })).toBeVisible()
  })
  expect(spent).toBeLessThan(1_000 * slowness())
})

test('a result opens on its score and its strip, which leads to samples', async ({ app, finished, complaints }) => {
  await app.goto(`/runs/${finished.id}`)
  await expect(app.getByRole('region', { name: 'Score', exact: true })).toContainText(/\d %.*\(n = 270\)/)
  const strip = app.getByRole('region', { name: 'Samples in order' })
  const picture = strip.getByRole('img', { name: /270 samples: \d+ correct, \d+ wrong/ })
  await picture.click({ position: { x: 20, y: 4 } })
  await expect(app.getByRole('complementary', { name: 'Transcript' })).toContainText('awp-0002')
  await app.goBack()
  const box = await picture.boundingBox()
  if (!box) throw new Error('The strip is not in the page.')
  await app.mouse.move(box.x + 4, box.y + 4)
  await app.mouse.down()
  await app.mouse.move(box.x + 14 * 5 + 4, box.y + 4)
  await app.mouse.up()
  await expect(app).toHaveURL(/from=1&to=6/)
  await expect(app.getByRole('status').filter({ hasText: '6 rows' })).toBeVisible()
  await app.goBack()
  await strip.getByRole('button', { name: 'Show as table' }).focus()
  await app.keyboard.press('Enter')
  await strip.getByRole('table').getByRole('link', { name: 'wrong' }).focus()
  await app.keyboard.press('Enter')
  await expect(app).toHaveURL(/outcome=wrong/)
  expect(complaints).toEqual([])
})

test('the strip keeps its place while what is above it arrives', async ({ app, finished }) => {
  const seen = Promise.withResolvers<void>()
  await app.route('**/annotations*', async route => {
    await seen.promise
    await route.continue()
  })
  await app.goto(`/runs/${finished.id}`)
  const picture = app.getByRole('img', { name: /270 samples: \d+ correct, \d+ wrong/ })
  await expect(picture).toBeVisible()
  const top = async () => (await picture.boundingBox())?.y ?? Number.NaN
  const before = await top()
  seen.resolve()
  await expect(app.getByRole('button', { name: 'Add note' })).toBeVisible()
  expect(Math.abs((await top()) - before)).toBeLessThan(1)
})

test('runs are selected in the list and archived together', async ({ app, finished, workstation }) => {
  const client = ownerClient(workstation)
  await app.goto('/runs')
  const all = app.getByRole('checkbox', { name: 'Select all listed runs' })
  const one = app.getByRole('checkbox', { name: `Select ${finished.name}` })
  await one.waitFor()
  await all.check()
  await expect(one).toBeChecked()
  await all.uncheck()
  await one.check()
  await app.getByRole('button', { name: 'Archive 1' }).click()
  await expect(app.getByText('1 run archived.')).toBeVisible()
  await expect(app.getByRole('grid', { name: 'Runs' }).getByText(finished.name)).toHaveCount(0)
  await client.call('changeRun', { params: { run_id: finished.id }, body: { archived: false } })
})

test('selected samples are exported with their transcripts, in the order of the run', async ({ app, finished }) => {
  await app.goto(`/runs/${finished.id}/samples`)
  const grid = app.getByRole('grid', { name: 'Samples' })
  await grid.getByRole('checkbox', { name: 'Select sample 3' }).check()
  await grid.getByRole('checkbox', { name: 'Select sample 1', exact: true }).check()
  const saving = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Export 2 (JSON Lines)' }).click()
  const lines = (await readFile(await (await saving).path(), 'utf8')).trimEnd().split('\n')
  expect(lines.map(line => SampleDetail.parse(JSON.parse(line)).position)).toEqual([0, 2])
})

test('a bar of a chart opens the samples that it counts', async ({ app, finished, workstation }) => {
  const query = { outcome: 'wrong', limit: 1 } as const
  const { total } = await ownerClient(workstation).call('listSamples', { params: { run_id: finished.id }, query })
  await app.goto(`/runs/${finished.id}`)
  await app.getByText('Outcomes', { exact: true }).click()
  await app
    .getByRole('link', { name: new RegExp(`^wrong ${total} `) })
    .locator('text')
    .click()
  await expect(app).toHaveURL(/\/samples\?outcome=wrong$/)
  await expect(app.getByRole('status').filter({ hasText: `${total} rows` })).toBeVisible()
})

test('a bar of a breakdown opens the samples of its part, and so does its line of the table', async ({ app, finished, workstation }) => {
  const { breakdowns } = await ownerClient(workstation).call('getRunResults', { params: { run_id: finished.id } })
  const [first, second] = breakdowns
  if (!first || !second) throw new Error('The benchmark has breakdowns.')
  await app.goto(`/runs/${finished.id}`)
  const region = app.getByRole('region', { name: 'Breakdowns' })
  await region.getByRole('link').first().waitFor()
  expect(await violations(app)).toEqual([])
  await region.getByRole('link', { name: new RegExp(`^${first.value}: .*, by ${first.dimension}$`) }).click()
  await expect(app.getByRole('status').filter({ hasText: `${first.estimate.n} rows` })).toBeVisible()
  await app.getByRole('button', { name: `Clear filter ${first.dimension}: ${first.value}` }).click()
  await expect(app.getByRole('status').filter({ hasText: '270 rows' })).toBeVisible()
  await app.goBack()
  await region.getByRole('button', { name: 'Show as table' }).focus()
  await app.keyboard.press('Enter')
  await region.getByRole('link', { name: second.value, exact: true }).first().focus()
  await app.keyboard.press('Enter')
  await expect(app.getByRole('status').filter({ hasText: `${second.estimate.n} rows` })).toBeVisible()
  expect(await violations(app)).toEqual([])
})
