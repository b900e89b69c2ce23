import { expect, test } from './support/workstation.ts'

test('filters, sort and the opened row are in the address and come back from it', async ({ app, complaints }) => {
  await app.goto('/catalog')
  const grid = app.getByRole('grid', { name: 'Benchmarks' })
  await app.getByRole('switch', { name: 'Runnable now' }).check()
  await grid.getByRole('button', { name: 'Benchmark', exact: true }).click()
  await grid.getByRole('button', { name: 'Benchmark', exact: true }).click()
  await grid.getByRole('row').nth(1).click()
  const panel = app.getByRole('complementary', { name: 'Benchmark' })
  await expect(panel.getByRole('heading', { name: 'Profiles' })).toBeVisible()
  await expect(app).toHaveURL(/runnable=yes/)
  await expect(app).toHaveURL(/sort=-title/)

  await app.reload()
  await expect(panel.getByRole('heading', { name: 'Profiles' })).toBeVisible()
  await expect(grid.getByRole('columnheader', { name: 'Benchmark', exact: true })).toHaveAttribute('aria-sort', 'descending')
  await expect(grid.getByRole('row', { selected: true })).toHaveCount(1)
  expect(complaints).toEqual([])
})

test('rows are walked, opened and closed by keyboard', async ({ app }) => {
  await app.goto('/catalog')
  const grid = app.getByRole('grid', { name: 'Benchmarks' })
  await grid.focus()
  await app.keyboard.press('ArrowDown')
  await app.keyboard.press('Enter')
  const opened = grid.getByRole('row', { selected: true })
  await expect(opened).toHaveAttribute('aria-rowindex', '3')
  await app.keyboard.press('ArrowUp')
  await expect(opened).toHaveAttribute('aria-rowindex', '2')
  await app.keyboard.press('Escape')
  await expect(opened).toHaveCount(0)
})

test('a search without a match offers to clear the filters', async ({ app }) => {
  await app.goto('/catalog?q=zzzzzz')
  await expect(app.getByRole('heading', { name: 'No benchmarks match these filters' })).toBeVisible()
  await app.getByRole('button', { name: 'Clear filters' }).click()
  await expect(app.getByRole('grid', { name: 'Benchmarks' })).toBeVisible()
})

test('columns are hidden, widened and kept for the next time', async ({ app }) => {
  await app.goto('/catalog')
  const grid = app.getByRole('grid', { name: 'Benchmarks' })
  await app.getByRole('button', { name: 'Columns' }).click()
  await app.getByLabel('License', { exact: true }).uncheck()
  await app.getByLabel('Slug', { exact: true }).check()
  await expect(grid.getByRole('columnheader', { name: 'License' })).toHaveCount(0)
  const before = await grid.getByRole('columnheader', { name: 'Runner' }).boundingBox()
  await app.getByRole('button', { name: 'Make Runner wider' }).click()
  await expect
    .poll(async () => (await grid.getByRole('columnheader', { name: 'Runner' }).boundingBox())?.width)
    .toBeGreaterThan(before?.width ?? 0)
  await app.reload()
  await expect(grid.getByRole('columnheader', { name: 'Slug' })).toBeVisible()
  await expect(grid.getByRole('columnheader', { name: 'License' })).toHaveCount(0)
})

test('a benchmark’s page says what it is and leads to a quote', async ({ app, complaints }) => {
  await app.goto('/catalog?runnable=yes')
  await app.getByRole('grid', { name: 'Benchmarks' }).getByRole('row').nth(1).click()
  await app.getByRole('link', { name: 'Open page' }).click()
  for (const part of [
    'Profiles',
    'What it measures',
    'How it was made',
    'Metrics',
    'Prompt',
    'Example tasks',
    'Versions',
    'License and citation',
  ]) {
    await expect(app.getByRole('heading', { name: part, exact: true })).toBeVisible()
  }
  await expect(app.getByRole('grid', { name: 'Example tasks' }).getByRole('row').nth(1)).toBeVisible()
  const quote = app.getByRole('banner').or(app.locator('.page-header')).getByRole('link', { name: 'Quote', exact: true })
  await expect(quote).toHaveAttribute('href', /^\/quotes\/new\?profile=/)
  expect(complaints).toEqual([])
})
