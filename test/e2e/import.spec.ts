import { expect, test } from './support/workstation.ts'

/** `count` little tasks as JSON Lines, with names of columns that the page recognises. */
function jsonLines(count: number): string {
  return Array.from({ length: count }, (_, i) =>
    JSON.stringify({ question: `What is ${i} plus 1?`, answer: String(i + 1), uid: `t${i}` }),
  ).join('\n')
}

test('a file of one’s own becomes a benchmark: columns recognised, first rows shown, imported, found again', async ({
  app,
  complaints,
}) => {
  await app.goto('/catalog/import?own=yes')
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'sums.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(jsonLines(12)) })
  await expect(app.getByLabel('Question', { exact: false }).first()).toHaveValue('question')
  await expect(app.getByLabel('Reference answer').first()).toHaveValue('answer')
  const preview = app.getByRole('table', { name: 'First rows' })
  await expect(preview.getByText('What is 0 plus 1?')).toBeVisible()
  await expect(app.getByText('12 valid')).toBeVisible()

  await expect(app.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await app.getByLabel('Benchmark name').fill('Little sums')
  await app.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(app.getByText('12 tasks are in the catalog.')).toBeVisible()
  await app.getByRole('link', { name: 'Open the benchmark' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Little sums' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('another column chosen changes the preview', async ({ app }) => {
  await app.goto('/catalog/import?own=yes')
  await app
    .locator('input[type=file]')
    .setInputFiles({ name: 'sums.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(jsonLines(3)) })
  const preview = app.getByRole('table', { name: 'First rows' })
  await expect(preview.getByText('What is 0 plus 1?')).toBeVisible()
  await app.getByLabel('Question', { exact: false }).first().click()
  await app.getByRole('option', { name: 'uid' }).click()
  await expect(preview.getByText('What is 0 plus 1?')).toBeHidden()
})

test('lines that cannot be read are named by number and nothing can be imported', async ({ app }) => {
  const broken = [...jsonLines(3).split('\n'), '{"question": "cut off'].join('\n')
  await app.goto('/catalog/import?own=yes')
  await app.locator('input[type=file]').setInputFiles({ name: 'broken.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(broken) })
  const errors = app.getByRole('table', { name: 'Errors' })
  await expect(errors.getByRole('cell', { name: '4', exact: true })).toBeVisible()
  await app.getByLabel('Benchmark name').fill('Broken')
  await expect(app.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
})
