import { expect, test } from './support/workstation.ts'

test('an environment is found from the catalog, shows its tools and is quoted from its page', async ({ app, complaints }) => {
  await app.goto('/catalog')
  await app.getByRole('link', { name: 'Environments' }).click()
  const grid = app.getByRole('grid', { name: 'Environments' })
  await grid.getByRole('row').filter({ hasText: 'Customer desk' }).click()
  await expect(app.getByRole('heading', { name: 'Customer desk', level: 1 })).toBeVisible()
  await expect(app.getByRole('table', { name: 'Tools' }).getByRole('row')).toHaveCount(7)
  await app
    .getByRole('button', { name: 'Quote Tools by text' })
    .or(app.getByRole('link', { name: 'Quote Tools by text' }))
    .click()
  await expect(app.getByRole('checkbox', { name: 'Customer desk: Tools by text' })).toBeChecked()
  expect(complaints).toEqual([])
})
