import { chromium } from '@playwright/test'
import { browserArguments, findBrowser } from '../support/chromium.ts'
import type { MeasuredService } from './processes.ts'

const browserPath = findBrowser()

/** Milliseconds from going to a run's page until its samples stand there; null where there is no browser or no built UI. */
export async function openRunInBrowser({ client, baseUrl }: MeasuredService, runId: string): Promise<number | null> {
  const page = await fetch(baseUrl)
  if (!browserPath || !page.headers.get('content-type')?.startsWith('text/html')) return null
  const { code } = await client.call('createPairingCode', {})
  const browser = await chromium.launch({ executablePath: browserPath, args: [...browserArguments] })
  try {
    const context = await browser.newContext({ baseURL: baseUrl })
    await context.request.post('/v1/sessions/pair', { data: { code } })
    const tab = await context.newPage()
    const started = performance.now()
    await tab.goto(`/runs/${runId}/samples`)
    await tab.getByRole('row').nth(1).waitFor()
    return performance.now() - started
  } finally {
    await browser.close()
  }
}
