import { expect, test } from './support/workstation.ts'

test('a key is made, shown once, rolled with an overlap and revoked', async ({ app, workstation, complaints }) => {
  await app.goto('/workspace/keys/new')
  await app.getByLabel('Name').fill('agent')
  await app.getByRole('button', { name: 'Read only' }).click()
  await app.getByRole('button', { name: 'Create key' }).click()
  const dialog = app.getByRole('dialog', { name: 'Copy the key “agent” now' })
  const secret = (await dialog.getByTestId('secret').textContent()) ?? ''
  expect(secret).toMatch(/^asy_[\w-]{43}$/)
  await app.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await expect(dialog).toBeHidden()
  expect(await app.content()).not.toContain(secret)
  const status = async (key: string) =>
    (await fetch(`${workstation.baseUrl}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status
  expect(await status(secret)).toBe(200)

  const grid = app.getByRole('grid', { name: 'API keys' })
  await app.goto('/workspace/keys')
  await grid.getByRole('row').filter({ hasText: 'agent' }).first().click()
  const panel = app.getByRole('complementary', { name: 'Key' })
  await panel.getByRole('button', { name: 'Roll' }).click()
  const roll = app.getByRole('dialog', { name: 'Roll “agent”' })
  const ends = roll.getByRole('radiogroup', { name: 'Old key expires', exact: true })
  await expect(ends.getByRole('radio')).toHaveCount(4)
  await expect(ends.getByRole('radio', { name: 'Immediately' })).not.toBeChecked()
  await ends.getByRole('radio', { name: 'After one hour' }).check()
  await roll.getByRole('button', { name: 'Roll key' }).click()
  const second = (await dialog.getByTestId('secret').textContent()) ?? ''
  expect(second).not.toBe(secret)
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  expect([await status(secret), await status(second)]).toEqual([200, 200])
  await expect(grid.getByText('In overlap')).toBeVisible()

  await grid.getByRole('row').filter({ hasText: 'In overlap' }).click()
  await panel.getByRole('button', { name: 'Revoke' }).click()
  await app.getByRole('dialog', { name: 'Revoke “agent”?' }).getByRole('button', { name: 'Revoke key' }).click()
  await expect(panel.getByText('Revoked').first()).toBeVisible()
  expect([await status(secret), await status(second)]).toEqual([401, 200])
  expect(complaints).toEqual([])
})
