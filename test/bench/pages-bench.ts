import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { isTerminal, runMachine } from '../../src/contract/index.ts'
import { browserArguments, findBrowser } from '../support/chromium.ts'
import { measureScroll } from '../support/measure-page.ts'
import { quote, submit } from '../support/runs.ts'
import { temporaryFolder } from '../support/service.ts'
import { importTasks, tasks } from './prepare.ts'
import { type MeasuredService, startMeasuredService } from './processes.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const steps = 200
const rounds = 5
/** Pixels a frame: a fast turn of the wheel, and a fling of ten rows a frame. */
const speeds = [120, 320] as const

/**
 * What a reader waits for on the pages of big runs: the result page until its score and its strip are drawn and it answers again, and the
 * frames of a scroll through its samples. Aims: 1 s with 100,000 samples; a median frame under 20 ms, p95 under 50 ms with 21,000.
 *
 * @param samples of each run, about
 */
export async function benchPages(samples: readonly number[]): Promise<void> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('Chromium is missing: run "node test/support/ensure-chromium.ts".')
  const folder = temporaryFolder()
  const service = await startMeasuredService({ entry: built, dataDir: folder.path, profileDir: null, withUi: true })
  const browser = await chromium.launch({ executablePath, args: [...browserArguments] })
  try {
    const profile = await importTasks(service)
    const page = await openPage(browser, service)
    for (const wanted of samples) {
      const { id, frozen } = await runOf(service, profile, Math.max(1, Math.round(wanted / tasks)))
      const opened: number[] = []
      for (let round = 0; round < rounds; round++) opened.push(await openResult(page, id))
      opened.sort((a, b) => a - b)
      console.log(`${frozen} samples: result page interactive after ${ms(opened[rounds >> 1])}, slowest ${ms(opened.at(-1))}.`)
      await page.goto(`/runs/${id}/samples`)
      const grid = page.getByRole('grid', { name: 'Samples' })
      await grid.getByRole('row').nth(1).waitFor()
      for (const pixels of speeds) {
        const { medianMs, p95Ms, cpuMsPerFrame } = await measureScroll(page, grid.locator('xpath=..'), steps, pixels)
        console.log(`  ${pixels} pixels a frame: median ${ms(medianMs)}, p95 ${ms(p95Ms)}, processor ${ms(cpuMsPerFrame)} a frame.`)
      }
    }
  } finally {
    await browser.close()
    await service.stop()
    folder.remove()
  }
}

async function openPage(browser: Browser, { client, baseUrl }: MeasuredService): Promise<Page> {
  const { code } = await client.call('createPairingCode', {})
  const context = await browser.newContext({ baseURL: baseUrl, viewport: { width: 1280, height: 800 } })
  await context.request.post('/v1/sessions/pair', { data: { code } })
  return context.newPage()
}

async function runOf({ client }: MeasuredService, profile: string, epochs: number): Promise<{ id: string; frozen: number }> {
  const model = { kind: 'managed', route_id: 'assay/oracle-75' } as const
  const { id: quoteId } = await quote(client, { model, profiles: [profile], execution: { epochs } })
  const { id } = await submit(client, quoteId)
  for (;;) {
    const run = await client.call('getRun', { params: { run_id: id } })
    if (run.result_version !== null && isTerminal(runMachine, run.status)) return { id, frozen: run.progress.frozen }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Milliseconds from going to the page until its score and its strip are there and its main thread is free to answer. */
async function openResult(page: Page, runId: string): Promise<number> {
  await page.goto('about:blank')
  const started = performance.now()
  await page.goto(`/runs/${runId}`, { waitUntil: 'commit' })
  await page.locator('.results-answer').first().waitFor()
  await page.locator('.strip-frame canvas').waitFor()
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  return performance.now() - started
}

function ms(value: number | undefined): string {
  return `${(value ?? Number.NaN).toFixed(1)} ms`
}
