import { expect, type Page } from '@playwright/test'

/** From the page of a new run, once its quote is about what was filled in, to the page of that quote. */
export async function openFullQuote(app: Page): Promise<void> {
  await expect(app.locator('[aria-busy="false"]').filter({ has: app.getByRole('link', { name: 'Full quote' }) })).toBeVisible()
  await app.getByRole('link', { name: 'Full quote' }).click()
  await app.waitForURL(/\/quotes\/[0-9a-f-]{36}$/)
}
