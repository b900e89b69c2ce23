import { expect, type Page, type TestInfo } from '@playwright/test'

/** Saves the HTML report of the run that the page shows, and opens the file as its recipient does: alone, without the service. */
export async function openReport(app: Page, testInfo: TestInfo): Promise<Page> {
  const saving = app.waitForEvent('download')
  await app.getByRole('button', { name: 'Export', exact: true }).click()
  await app.getByRole('menuitem', { name: 'Report (HTML)' }).click()
  const file = testInfo.outputPath('report.html')
  await (await saving).saveAs(file)
  const report = await app.context().newPage()
  const asked: string[] = []
  report.on('request', request => asked.push(request.url()))
  await report.goto(`file://${file}`)
  await expect(report.getByRole('heading', { level: 1 })).toBeVisible()
  expect(asked.filter(url => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([])
  return report
}
