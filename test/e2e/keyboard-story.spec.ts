import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './support/workstation.ts'

/** More stops of the Tab key than any page has. */
const mostStops = 150

/** Goes on with Tab until the control has the focus, as a person without a mouse does. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let stop = 0; stop < mostStops; stop++) {
    if (await control.evaluate(element => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${String(control)}.`)
}

/** Opens a page by the command palette. */
async function goBy(page: Page, words: string, heading: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type(words)
  await expect(page.getByRole('option').first()).toContainText(words)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}

async function runOf(page: Page, model: string): Promise<void> {
  await goBy(page, 'New run', 'New run')
  await tabTo(page, page.getByRole('combobox', { name: 'Model' }))
  await page.keyboard.type(model)
  await expect(page.getByRole('option', { name: model })).toBeVisible()
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('checkbox', { name: 'Arithmetic word problems · Zero-shot' }))
  await page.keyboard.press('Space')
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await expect(run).toBeEnabled()
  await tabTo(page, run)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: `${model} on Arithmetic word problems (Zero-shot)` })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Score', exact: true })).toContainText('(n = 200)')
}

test('a newcomer signs in, runs two models, compares them and exports the result with the keyboard alone', async ({
  page,
  workstation,
  complaints,
}) => {
  await page.goto('/')
  await tabTo(page, page.getByLabel('Pairing code'))
  await page.keyboard.type(await workstation.pairingCode())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()

  await runOf(page, 'Simulated model (50 %)')
  await runOf(page, 'Simulated model (90 %)')

  await goBy(page, 'New comparison', 'New comparison')
  const runs = page.getByRole('grid', { name: 'Runs to choose from' })
  await tabTo(page, runs)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(page.getByRole('radio', { name: /Simulated model \(50 %\)/ })).toBeChecked()
  const compare = page.getByRole('button', { name: 'Compare', exact: true })
  await tabTo(page, compare)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('Simulated model (90 %) is better than Simulated model (50 %)')

  await tabTo(page, page.getByRole('button', { name: 'Export' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: /Report \(HTML\)/ })).toBeVisible()
  // The menu takes the focus a moment after it is drawn; a key before that goes to the button.
  await expect(page.locator('[role=menu] :focus')).toBeAttached()
  const saving = page.waitForEvent('download')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const report = await readFile(await (await saving).path(), 'utf8')
  expect(report).toContain('Simulated model (90 %) is better than Simulated model (50 %)')
  expect(complaints).toEqual([])
})
