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
  // The actions keep their place when another part of the run is opened.
  const more = app.getByRole('button', { name: 'More for this run' })
  const place = await more.boundingBox()
  await app.getByRole('link', { name: /^Samples/ }).click()
  await expect(app.getByRole('searchbox', { name: 'Search samples' }).or(app.getByLabel('Search samples'))).toBeVisible()
  expect((await more.boundingBox())?.y).toBe(place?.y)
  // Alone, a run is no comparison: the page leads to the second one.
  await more.click()
  await app.getByRole('menuitem', { name: 'Compare with…' }).click()
  await app.getByRole('link', { name: 'Run another model on the same tasks' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'New run' })).toBeVisible()
  await expect(app.getByRole('checkbox', { name: /^Arithmetic word problems · Zero-shot/ })).toBeChecked()
  expect(complaints).toEqual([])
})
