import { expect, test } from './support/workstation.ts'

test('the budget is added to, confirmed, shown in the ledger, and has a receipt; a refund takes it back', async ({ app, complaints }) => {
  await app.goto('/workspace/wallet')
  // Nothing to narrow yet.
  await expect(app.getByText('No purchases yet')).toBeVisible()
  await expect(app.getByRole('switch', { name: 'Only with a receipt' })).toHaveCount(0)
  await app.getByRole('button', { name: 'Add to the budget' }).click()
  const dialog = app.getByRole('dialog', { name: 'Add to the budget' })
  await dialog.getByLabel('Amount').fill('12.5')
  await dialog.getByLabel('What it is for').fill('November')
  await dialog.getByRole('button', { name: 'Make purchase' }).click()
  await expect(dialog).toBeHidden()

  const purchases = app.getByRole('table', { name: 'Purchases' }).getByRole('row').filter({ hasText: 'November' })
  await purchases.getByRole('button', { name: 'Confirm' }).click()
  await app.getByRole('dialog', { name: 'Add this to the wallet?' }).getByRole('button', { name: 'Add to the wallet' }).click()
  await expect(purchases.getByText('Paid')).toBeVisible()
  await expect(app.getByRole('switch', { name: 'Only with a receipt' })).toHaveCount(1)
  await expect(app.getByRole('grid', { name: 'Ledger' })).toContainText('November')
  await expect(app.getByText('+$12.500000')).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search the ledger' }).fill('november -refund')
  await expect(app.getByText('+$12.500000')).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search the ledger' }).fill('december')
  await expect(app.getByText('No ledger entries match this search')).toBeVisible()
  await app.getByRole('searchbox', { name: 'Search the ledger' }).fill('')
  await expect(app.getByText('+$12.500000')).toBeVisible()

  await purchases.getByRole('link', { name: 'Receipt' }).click()
  await expect(app.getByRole('heading', { level: 1, name: /^Receipt / })).toBeVisible()
  await expect(app.getByText('No card or account was charged', { exact: false })).toBeVisible()
  await app.goBack()

  await purchases.getByRole('button', { name: 'Refund' }).click()
  await app.getByRole('dialog', { name: 'Refund this purchase?' }).getByRole('button', { name: 'Refund purchase' }).click()
  await expect(purchases.getByText('Refunded')).toBeVisible()
  await expect(app.getByText('−$12.500000')).toBeVisible()
  expect(complaints).toEqual([])
})
