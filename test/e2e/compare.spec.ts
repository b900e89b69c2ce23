import { readFileSync } from 'node:fs'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expectWholeAtDoubleZoom, violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, prepare, test as base, type Workstation } from './support/workstation.ts'

interface Runs {
  readonly weak: Run
  readonly strong: Run
  /** Of another benchmark. */
  readonly elsewhere: Run
}

async function ran(workstation: Workstation, percent: number, slug: string, name: string): Promise<Run> {
  const client = ownerClient(workstation)
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: `assay/oracle-${percent}` },
    profiles: [await profileId(client, slug, 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 90, seed: 1 },
  })
  return runToEnd(client, workstation.baseUrl, (await submit(client, id, name)).id)
}

/** Three finished runs, made once for all tests of this file. */
const prepareRuns = prepare<Runs>(async workstation => {
  return {
    weak: await ran(workstation, 50, 'arithmetic-word-problems', 'Weak run'),
    strong: await ran(workstation, 90, 'arithmetic-word-problems', 'Strong run'),
    elsewhere: await ran(workstation, 75, 'instruction-following', 'Run elsewhere'),
  }
})

const test = base.extend<{ runs: Runs }>({
  runs: async ({ workstation }, use) => use(await prepareRuns(workstation)),
})

async function compared(workstation: Workstation, { weak, strong }: Runs) {
  return ownerClient(workstation).call('createComparison', {
    body: { name: 'Prepared', run_ids: [weak.id, strong.id], baseline_id: weak.id },
  })
}

test('runs are chosen by keyboard and compared, and the headline states the result', async ({ app, runs, complaints }) => {
  await app.goto('/compare')
  await expect(app.getByRole('heading', { name: 'No comparisons yet' })).toBeVisible()
  expect(await violations(app)).toEqual([])
  await app.getByRole('link', { name: 'Compare runs' }).click()
  const compare = app.getByRole('button', { name: 'Compare', exact: true })
  await expect(compare).toBeDisabled()
  const grid = app.getByRole('grid', { name: 'Runs to choose from' })
  await grid.getByRole('row', { name: /Weak run/ }).click()
  await expect(grid.getByRole('checkbox', { name: 'Select Weak run' })).toBeChecked()
  await expect(grid.getByRole('row', { name: /Weak run/ })).toContainText(/\d %.*\(n = 90\)/)
  await grid.focus()
  await app.keyboard.press('Home')
  await app.keyboard.press('j')
  await app.keyboard.press('Space')
  await expect(app).toHaveURL(new RegExp(`runs=${runs.weak.id}%2C${runs.strong.id}`))
  await expect(app.getByRole('radio', { name: /Weak run/ })).toBeChecked()
  await compare.click()
  await expect(app.getByRole('region', { name: 'Verdict' })).toContainText(
    /is better than Simulated model \(50 %\) by \d+\.\d points, 95 % interval .* on 90 common tasks; a difference under \d+\.\d points would be missed more than one time in five\./,
  )
  expect(complaints).toEqual([])
})

test('runs that cannot be compared are refused with each difference named', async ({ app, runs }) => {
  await app.goto(`/compare/new?runs=${runs.weak.id},${runs.elsewhere.id}`)
  await app.getByRole('button', { name: 'Compare', exact: true }).click()
  const refusal = app.getByRole('alert').filter({ hasText: 'These runs cannot be compared' })
  await expect(refusal).toContainText('Benchmark version of Run elsewhere')
  await expect(refusal).toContainText('no benchmark version in common')
  expect(await violations(app)).toEqual([])
})

test('a cell of the flips filters the tasks, and both answers are read side by side', async ({ app, runs, workstation, complaints }) => {
  const comparison = await compared(workstation, runs)
  const passes = comparison.differences.find(difference => difference.headline)?.passes
  await app.goto(`/compare/${comparison.id}`)
  await app.getByRole('button', { name: /gained/ }).click()
  await expect(app).toHaveURL(/change=gained/)
  const grid = app.getByRole('grid', { name: 'Compared tasks' })
  await expect(app.getByRole('status').filter({ hasText: `${passes?.only_contender} rows` })).toBeVisible()
  await expect(grid.getByText('Lost')).toHaveCount(0)

  await grid.getByRole('row').nth(1).click()
  const side = app.getByRole('region', { name: 'Side by side' })
  await expect(side.getByRole('region', { name: 'Answers: baseline' })).toContainText('Wrong')
  await expect(side.getByRole('region', { name: 'Answers: contender' })).toContainText('Correct')
  await expect(side.locator('ins').first()).toBeVisible()
  const first = await side.getByRole('heading', { level: 2 }).first().textContent()
  await side.getByRole('button', { name: 'Next (j)' }).click()
  await expect(side.getByRole('heading', { level: 2 }).first()).not.toHaveText(first ?? '')
  await app.keyboard.press('k')
  await expect(side.getByRole('heading', { level: 2 }).first()).toHaveText(first ?? '')

  await app.reload()
  await expect(side.getByRole('heading', { level: 2 }).first()).toHaveText(first ?? '')
  await app.keyboard.press('Escape')
  await expect(side).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('a bar of the breakdowns takes the reader to the tasks of its part', async ({ app, runs, workstation }) => {
  const { id, breakdowns } = await compared(workstation, runs)
  const [part] = breakdowns
  if (!part) throw new Error('The benchmark has breakdowns.')
  await app.goto(`/compare/${id}`)
  const bars = app.getByRole('region', { name: 'Where it comes from' })
  await bars.getByRole('button', { name: 'Show as table' }).click()
  await bars
    .getByRole('link', { name: new RegExp(`^${part.value} `) })
    .first()
    .click()
  await expect(app.getByRole('status').filter({ hasText: `${part.n} rows` })).toBeInViewport()
  await app.getByRole('button', { name: `Clear filter ${part.dimension}: ${part.value}` }).click()
  await expect(app.getByRole('status').filter({ hasText: '90 rows' })).toBeVisible()
})

for (const { item, name, holds } of [
  { item: /Everything \(JSON\)/, name: 'Prepared.json', holds: '"digest"' },
  { item: /Tasks \(CSV\)/, name: 'Prepared.csv', holds: 'awp-' },
  { item: /Report \(HTML\)/, name: 'Prepared.html', holds: '<svg' },
]) {
  test(`a comparison is saved as ${name}`, async ({ app, runs, workstation }) => {
    const comparison = await compared(workstation, runs)
    await app.goto(`/compare/${comparison.id}`)
    const download = app.waitForEvent('download')
    await app.getByRole('button', { name: 'Export' }).click()
    await app.getByRole('menuitem', { name: item }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(name)
    expect(readFileSync(await file.path(), 'utf8')).toContain(holds)
  })
}

test('a comparison with an opened task has no serious accessibility fault and fits at 200 % zoom', async ({ app, runs, workstation }) => {
  const comparison = await compared(workstation, runs)
  await app.goto(`/compare/${comparison.id}`)
  await app.getByText(/^\d+ of \d+ checks passed/).click()
  await app.getByRole('grid', { name: 'Compared tasks' }).getByRole('row').nth(1).click()
  await app.getByRole('region', { name: 'Answers: baseline' }).waitFor()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await expectWholeAtDoubleZoom(app)
})

test('a result beside its baseline fits at 200 % zoom', async ({ app, runs }) => {
  await app.goto(`/runs/${runs.strong.id}`)
  await expect(app.getByText('same tasks, earlier run')).toBeVisible()
  await expectWholeAtDoubleZoom(app)
})

test('a comparison that cannot be read says so', async ({ app }) => {
  for (const page of ['', '/matrix']) {
    await app.goto(`/compare/01900000-0000-7000-8000-000000000099${page}`)
    await expect(app.getByRole('heading', { name: 'Couldn’t load the comparison' })).toBeVisible()
    await expect(app.getByRole('heading', { level: 1, name: 'Comparison' })).toBeVisible()
  }
  await expect(app.getByRole('link', { name: 'Report this' })).toBeVisible()
})

test('two runs are paired from their comparison, as a frozen dataset that an evaluator can judge', async ({
  app,
  runs,
  workstation,
  complaints,
}, info) => {
  const { id } = await compared(workstation, runs)
  await app.goto(`/compare/${id}`)
  await app.getByRole('button', { name: 'Judge in pairs' }).click()
  const dialog = app.getByRole('dialog', { name: 'Judge in pairs' })
  await expect(dialog.getByLabel('Dataset name')).toHaveValue(/ against /)
  expect(await violations(app)).toEqual([])
  await app.screenshot({ path: info.outputPath('pairs-dialog.png') })
  await dialog.getByRole('button', { name: 'Make pairs' }).click()
  await expect(app.getByText('Pairs in the dataset: 90. Next: let an evaluator judge them.')).toBeVisible()
  await expect(app).toHaveURL(/\/datasets\/[\w-]+\/versions\/[\w-]+$/)
  await app.screenshot({ path: info.outputPath('pairs-version.png') })
  await app.goto('/compare/rank')
  await expect(app.getByText('open their comparison, choose Judge in pairs')).toBeVisible()
  expect(complaints).toEqual([])
})

test('the page that ranks models says when it could not load what evaluators decided', async ({ app }) => {
  const calibrations = /\/v1\/workload-evaluators\/calibrations/
  const refusal = { error: { code: 'conflict', message: 'Not now.' } }
  await app.route(calibrations, route => route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify(refusal) }))
  await app.goto('/compare/rank')
  await expect(app.getByRole('heading', { name: 'Couldn’t load the judged pairs' })).toBeVisible()
  await app.unroute(calibrations)
  await app.getByRole('button', { name: 'Try again' }).click()
  await expect(app.getByText('open their comparison, choose Judge in pairs')).toBeVisible()
})
