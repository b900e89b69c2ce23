import { expect, test } from './support/workstation.ts'

const requestId = '01a1fc66-d5cb-75e9-8e9c-0da8d51f65d7'

test('any error is reported in two clicks, with its request id filled in, and triaged by an owner', async ({ app, complaints }) => {
  await app.route('**/v1/network-log*', route =>
    route.fulfill({
      status: 500,
      json: {
        error: {
          code: 'internal_error',
          message: 'The service failed; the request id finds the cause in its log.',
          request_id: requestId,
          feedback: { url: '/v1/feedback', method: 'POST', request_id: requestId, docs: '/docs/feedback' },
        },
      },
    }),
  )
  await app.goto('/settings/network')
  await app.getByRole('link', { name: 'Report this' }).click()
  await expect(app.getByRole('heading', { level: 1, name: 'New report' })).toBeVisible()
  await expect(app.getByText(requestId)).toBeVisible()
  await expect(app.getByLabel('Summary')).not.toHaveValue('')
  const summary = await app.getByLabel('Summary').inputValue()
  await app.getByRole('button', { name: 'Send report' }).click()

  const panel = app.getByRole('complementary')
  await expect(app).toHaveURL(/\/feedback\?.*open=/)
  await expect(panel.getByText(requestId)).toBeVisible()
  await expect(panel.getByText('/v1/network-log')).toBeVisible()
  await expect(app.getByRole('grid', { name: 'Reports' }).getByRole('row').nth(1)).toContainText(summary)

  await panel.getByRole('button', { name: 'Decline' }).click()
  await panel.getByLabel('Why it is declined').fill('The page was made to fail.')
  await panel.getByRole('button', { name: 'Decline the report' }).click()
  await expect(panel.getByText('Declined', { exact: true })).toBeVisible()
  await expect(panel.getByText('The page was made to fail.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Decline' })).toHaveCount(0)
  expect(complaints).toEqual([])
})

test('the desktop menu’s item opens feedback', async ({ page, context, session }) => {
  await context.addCookies(session)
  // Stands for the preload's bridge, which a browser does not have.
  await page.addInitScript(() => {
    Object.assign(window, {
      assay: {
        onOpen: () => () => undefined,
        onCommand: (listener: (command: string) => void) => {
          const heard = () => listener('feedback')
          window.addEventListener('menu-feedback', heard)
          return () => window.removeEventListener('menu-feedback', heard)
        },
      },
    })
  })
  await page.goto('/settings')
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('menu-feedback')))
  await expect(page.getByRole('heading', { level: 1, name: 'Feedback' })).toBeVisible()
})
