import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
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
      const clicked: number[] = []
      for (let round = 0; round < rounds; round++) clicked.push(await openFromList(page, id))
      for (const times of [opened, clicked]) times.sort((a, b) => a - b)
      console.log(`${frozen} samples: result page interactive after ${ms(opened[rounds >> 1])}, slowest ${ms(opened.at(-1))}.`)
      console.log(`  From the list of runs after ${ms(clicked[rounds >> 1])}, slowest ${ms(clicked.at(-1))}.`)
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

/** Milliseconds from the start of the navigation until the score and the strip are drawn and the main thread is free to answer. */
async function openResult(page: Page, runId: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(`/runs/${runId}`, { waitUntil: 'commit' })
  return interactiveAt(page)
}

/** The same from a click in the list, in a session that has opened no result since the page was loaded. */
async function openFromList(page: Page, runId: string): Promise<number> {
  await page.goto('/runs')
  const link = page.locator(`main a[href="/runs/${runId}"]`).first()
  await link.waitFor()
  // What the page loads ahead in idle moments is not part of the click.
  await page.waitForLoadState('networkidle')
  const clicked = await link.evaluate(element => {
    const now = performance.now()
    if (element instanceof HTMLElement) element.click()
    return now
  })
  return (await interactiveAt(page)) - clicked
}

/** Told by the page itself, frame by frame: looking in from outside keeps its main thread busy for a tenth of the time measured. */
function interactiveAt(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const look = (): void => {
          if (document.querySelector('.results-answer') && document.querySelector('.strip-frame canvas'))
            setTimeout(() => resolve(performance.now()))
          else requestAnimationFrame(look)
        }
        look()
      }),
  )
}

function ms(value: number | undefined): string {
  return `${(value ?? Number.NaN).toFixed(1)} ms`
}
