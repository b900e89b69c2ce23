import { ownerClient } from './support/owner-client.ts'
import { violations, violationsInBothSchemes } from './support/violations.ts'
import { expect, test } from './support/workstation.ts'

test('examples are written by hand, approved together, frozen, made a benchmark, run, and found again from a sample', async ({
  app,
  workstation,
  complaints,
}) => {
  const client = ownerClient(workstation)
  await client.call('createEvaluator', {
    body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {} } },
  })
  const { id } = await client.call('createDataset', { body: { name: 'Echoes', task: 'answer' } })
  await app.goto(`/datasets/${id}`)
  await app.getByRole('button', { name: 'Add example' }).click()
  const dialog = app.getByRole('dialog', { name: 'Add example' })
  for (const [input, expected] of [
    ['Say yes', 'Say yes'],
    ['Say no', 'no'],
  ] as const) {
    await dialog.getByLabel('Input').fill(input)
    await dialog.getByLabel('Expected').fill(expected)
    await dialog.getByRole('button', { name: 'Add example' }).click()
    await expect(dialog.getByLabel('Input')).toHaveValue('')
    await expect(dialog.getByLabel('Input')).toBeFocused()
  }
  await dialog.getByLabel('Metadata (JSON)').fill('[1]')
  await expect(dialog.getByText('Not a JSON object')).toBeVisible()
  expect(await violationsInBothSchemes(app)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const grid = app.getByRole('grid', { name: 'Examples' })
  await grid.getByRole('checkbox', { name: 'Select Say no' }).check()
  await app.getByRole('button', { name: 'Review (1 selected)' }).click()
  await app.getByRole('menuitem', { name: 'Send to review 1 selected example' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Send to review' }).click()
  await expect(grid.getByText('In review')).toBeVisible()
  await app.getByRole('button', { name: 'Review', exact: true }).click()
  await app.getByRole('menuitem', { name: 'Approve all 2 open examples' }).click()
  await app.getByRole('dialog').getByLabel('Note').fill('Both read')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await app.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(grid.getByText('Approved')).toHaveCount(2)

  await app.getByRole('link', { name: 'Agreement, versions, imports and scans' }).click()
  await expect(app.getByText('No file was imported yet.')).toBeVisible()
  await app.getByRole('button', { name: 'Freeze 2 approved examples' }).click()
  await app.getByRole('button', { name: 'Make a benchmark' }).click()
  const making = app.getByRole('dialog', { name: 'Make a benchmark' })
  await making.getByLabel('Name').fill('Echo check')
  await expect(making.getByRole('combobox', { name: 'Graded by' })).toHaveValue('Exact v1')
  expect(await violationsInBothSchemes(app)).toEqual([])
  await making.getByRole('button', { name: 'Make benchmark' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'Echo check' })).toBeVisible()
  await app.goBack()
  await app.getByRole('table', { name: 'Benchmarks' }).getByRole('link', { name: 'Quote' }).click()
  await app.getByRole('combobox', { name: /Model/ }).first().click()
  await app.getByRole('option', { name: /echo/i }).first().click()
  await app.getByRole('button', { name: /^Run/ }).click()
  await expect(app.getByText('Complete', { exact: true }).first()).toBeVisible()

  const [run] = (await client.call('listRuns', {})).items
  await app.goto(`/runs/${run?.id}/samples`)
  await app.getByRole('grid', { name: 'Samples' }).getByRole('checkbox').first().check()
  await app.getByRole('button', { name: 'Add 1 to dataset' }).click()
  // It comes with the datasets.
  await expect(app.getByRole('combobox', { name: 'Dataset' })).toBeFocused()
  await app.getByRole('combobox', { name: 'Dataset' }).click()
  await app.getByRole('option', { name: 'Echoes' }).click()
  await app.getByRole('dialog').getByRole('button', { name: 'Add to dataset' }).click()
  await expect(app.getByText('Examples added: 1. Already there: 0. Skipped: 0.')).toBeVisible()
  expect(await violations(app)).toEqual([])

  const { items } = await client.call('listSamples', { params: { run_id: run?.id ?? '' } })
  await app.goto(`/runs/${run?.id}/samples/${items[0]?.id}`)
  await app.getByRole('link', { name: 'Revision 1' }).click()
  await expect(app.getByRole('complementary', { name: 'Example' })).toContainText('Say')
  expect(complaints).toEqual([])
})
