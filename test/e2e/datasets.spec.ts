import { pandalm, pandalmIsMissing } from '../support/datasets.ts'
import { ownerClient } from './support/owner-client.ts'
import { violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'
import { patience } from '../support/machine-speed.ts'

const hostile = '<img src=x onerror="document.title=1">\u202Etxt.exe'

test('a dataset is created, filled from a file, reviewed by keyboard, frozen and compared', async ({ app, workstation, complaints }) => {
  const client = ownerClient(workstation)
  await app.goto('/datasets')
  await expect(app.getByRole('heading', { name: 'No datasets yet' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'New dataset' }).first().click()
  await app.getByLabel('Name', { exact: false }).fill('Support answers')
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Create dataset' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Support answers' })).toBeVisible()
  await expect(app.getByRole('heading', { name: 'No examples yet' })).toBeVisible()
  expect(await violations(app)).toEqual([])

  await app.getByRole('link', { name: 'Import a file' }).click()
  const rows = [
    { question: 'Where is my refund?', answer: 'It is on its way.', expected: 'It is on the way.', team: 'north' },
    { question: hostile, answer: '', expected: 'nothing', team: 'south' },
    { question: 'Do you ship abroad?', answer: 'Yes', expected: 'Yes', team: 'south' },
  ]
  await app.locator('input[type=file]').setInputFiles({
    name: 'answers.jsonl',
    mimeType: 'application/json',
    buffer: Buffer.from(rows.map(row => JSON.stringify(row)).join('\n')),
  })
  await expect(app.getByRole('table', { name: 'First examples' })).toContainText('Where is my refund?')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('button', { name: 'Import 3 examples' }).click()
  await expect(app.getByText('3 examples added.')).toBeVisible()

  await app.getByRole('link', { name: 'Review' }).click()
  await expect(app.getByText('1 of 3')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.keyboard.press('1')
  await expect(app.getByRole('button', { name: 'pass' })).toHaveAttribute('aria-pressed', 'true')
  await app.keyboard.press('a')
  await expect(app.getByText('2 of 3')).toBeVisible()
  await expect(app.getByText('<img src=x', { exact: false })).toBeVisible()
  expect(await app.title()).not.toBe('1')
  await app.keyboard.press('r')
  await expect(app.getByText('3 of 3')).toBeVisible()
  await app.keyboard.press('u')
  await expect(app.getByText('2 of 3')).toBeVisible()
  await expect(app.getByText('Draft', { exact: true })).toBeVisible()
  await app.keyboard.press('j')
  await app.keyboard.press('e')
  await app.getByRole('dialog').getByLabel('Output').fill('Yes, worldwide')
  expect(await violations(app)).toEqual([])
  await app.getByRole('button', { name: 'Save revision' }).click()
  await expect(app.getByRole('dialog')).toHaveCount(0)
  await expect(app.getByRole('region', { name: 'Output' })).toContainText('Yes, worldwide')
  await app.keyboard.press('k')
  await expect(app.getByText('2 of 3')).toBeVisible()

  const [dataset] = (await client.call('listDatasets', {})).items
  const params = { dataset_id: dataset?.id ?? '' }
  expect(dataset?.counts).toEqual({ total: 3, draft: 2, in_review: 0, approved: 1, rejected: 0 })
  const { items } = await client.call('listExamples', { params })
  expect(items.map(({ revision, label, label_by }) => ({ revision, label, label_by }))).toEqual([
    { revision: 1, label: 'pass', label_by: 'person' },
    { revision: 1, label: null, label_by: null },
    { revision: 2, label: null, label_by: null },
  ])

  await app.goto(`/datasets/${params.dataset_id}?tab=overview`)
  await app.getByRole('button', { name: 'Freeze 1 approved example' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Version 1' })).toBeVisible()
  await app.goto(`/datasets/${params.dataset_id}?tab=overview`)
  await expect(app.getByRole('table', { name: 'Versions' })).toContainText('Version 1')
  await app.getByRole('button', { name: 'Scan for duplicates and secrets' }).click()
  await expect(app.getByText('3 examples: 0 duplicates, 0 with secrets')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('link', { name: '1. Version 1' }).click()
  await expect(app.getByText('1 added, 0 removed, 0 revised, 0 relabeled, 0 unchanged')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])

  await app.goto(`/datasets/${params.dataset_id}?q=refund`)
  const grid = app.getByRole('grid', { name: 'Examples' })
  await expect(grid.getByRole('row')).toHaveCount(2)
  await grid.getByRole('row').nth(1).click()
  await expect(app.getByRole('complementary', { name: 'Example' })).toContainText('Human review: approved')
  expect(await violationsInBothSchemes(app)).toEqual([])
  expect(complaints).toEqual([])
})

test('rows that cannot be used are named by their line, and nothing is added', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { id } = await client.call('createDataset', { body: { name: 'Broken file', task: 'answer' } })
  await app.goto(`/datasets/${id}/import`)
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'bad.jsonl', mimeType: 'text/plain', buffer: Buffer.from('{"input":"a"}\nnot json\n') })
  await expect(app.getByRole('table', { name: 'Errors' })).toContainText('2')
  await expect(app.getByRole('button', { name: /^Import/ })).toBeDisabled()
  await app.getByRole('button', { name: /^Import/ }).focus()
  await expect(app.getByRole('tooltip')).toContainText('Correct or remove')
  await app.locator('input[type=file]').setInputFiles({ name: 'empty.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) })
  await expect(app.getByRole('heading', { name: 'No rows could be read' })).toBeVisible()
  await expect(app.getByRole('table', { name: 'Errors' })).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
})

test('a JSON object around a list is read, and rows that fail alike are one error', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { id } = await client.call('createDataset', { body: { name: 'Wrapped', task: 'answer' } })
  const file = (examples: object[]) => ({
    name: 'boolean_expressions.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ canary: 'x', examples })),
  })
  await app.goto(`/datasets/${id}/import`)
  await app
    .locator('input[type=file]')
    .setInputFiles(file([{ input: 'not True is', target: 'False' }, ...Array.from({ length: 40 }, () => ({ target: 'x' }))]))
  const errors = app.getByRole('table', { name: 'Errors' })
  await expect(errors.getByRole('row')).toHaveCount(2)
  await expect(errors.getByRole('cell', { name: '40', exact: true })).toBeVisible()
  await app.locator('input[type=file]').setInputFiles(file([{ input: 'not True is', target: 'False' }]))
  await app.getByRole('button', { name: 'Import 1 example', exact: true }).click()
  await expect(app.getByText('1 example added.')).toBeVisible()
  // The page has shown its previews, also the one that failed.
  await app.getByRole('button', { name: 'Recent jobs' }).click()
  await expect(app.getByText('Dataset import', { exact: true })).toBeVisible()
  await expect(app.getByText('Import preview', { exact: true })).toHaveCount(0)
})

test('a dataset that is not there says so', async ({ app }) => {
  await app.goto('/datasets/01900000-0000-7000-8000-000000000099')
  await expect(app.getByRole('heading', { name: 'Couldn’t load the dataset' })).toBeVisible()
})

test('PandaLM’s 999 items import through the pages with the published agreement', async ({ app, workstation }) => {
  test.skip(pandalmIsMissing, 'needs ../shared/data/judges/pandalm')
  const client = ownerClient(workstation)
  const { id } = await client.call('createDataset', { body: { name: 'PandaLM', task: 'pairwise' } })
  await app.goto(`/datasets/${id}/import`)
  await app.locator('input[type=file]').setInputFiles(pandalm)
  for (const [label, value] of [
    ['a', '1'],
    ['b', '2'],
    ['tie', '0'],
  ] as const)
    await app.getByLabel(`Value in the file for “${label}”`).fill(value)
  const start = app.getByRole('button', { name: 'Import 999 examples' })
  await expect(start).toBeEnabled()
  await start.click()
  await expect(app.getByText('999 examples added.')).toBeVisible({ timeout: 60_000 * patience() })
  await app.getByRole('link', { name: 'Agreement and labels' }).click()
  await expect(app.getByTestId('alpha')).toHaveText('0.864')
  const pairs = app.getByRole('table', { name: 'Agreement by pair' })
  for (const kappa of ['0.852', '0.879', '0.862']) await expect(pairs).toContainText(kappa)
  const labels = app.getByLabel('Consensus labels')
  for (const count of ['422', '472', '105']) await expect(labels).toContainText(count)
  expect(await violationsInBothSchemes(app)).toEqual([])
})
