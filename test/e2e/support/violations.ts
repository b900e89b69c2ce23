import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe calls serious or critical on the page as it stands, with the elements. */
export async function violations(page: Page): Promise<string[]> {
  return serious(new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']))
}

/** The same in the light scheme and then in the dark one, where only what colours decide is looked at again. Leaves the page dark. */
export async function violationsInBothSchemes(page: Page): Promise<string[]> {
  await chooseScheme(page, 'light')
  const light = await violations(page)
  await chooseScheme(page, 'dark')
  const dark = await serious(new AxeBuilder({ page }).withRules(['color-contrast', 'link-in-text-block']))
  return [...light.map(fault => `light: ${fault}`), ...dark.map(fault => `dark: ${fault}`)]
}

async function chooseScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator(`html[data-mantine-color-scheme=${colorScheme}]`)).toBeAttached()
}

async function serious(axe: AxeBuilder): Promise<string[]> {
  // The pages have no frames of other origins, for whose sake axe would open a page of its own each time.
  const { violations: found } = await axe.setLegacyMode().analyze()
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)}`))
}
