import { countClicks } from './support/count-clicks.ts'
import { expect, openHome, test } from './support/workstation.ts'

test('a newcomer sees a score with its interval after at most three clicks', async ({ app, workstation, complaints }) => {
  const runs = await fetch(`${workstation.baseUrl}/v1/runs`, { headers: workstation.owner })
  expect(await runs.json()).toMatchObject({ items: [] })
  const clicks = await countClicks(app)
  await openHome(app)
  await app.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(app.locator('.results-answer')).toHaveText(/^\d+\.\d % (± \d+\.\d|\[\d+\.\d, \d+\.\d\])$/)
  await expect(app.getByRole('region', { name: 'Score', exact: true })).toContainText('(n = 200)')
  expect(clicks()).toBeGreaterThan(0)
  expect(clicks()).toBeLessThanOrEqual(3)
  expect(complaints).toEqual([])
})
