import type { Page, Request } from '@playwright/test'
import type { Scene } from './scenes.ts'
import { patience } from '../support/machine-speed.ts'

export interface Shot {
  readonly size: { readonly width: number; readonly height: number }
  readonly scheme: 'light' | 'dark'
  readonly forcedColors?: boolean
  /** Where the picture goes; null leaves it to the caller. */
  readonly path: string | null
}

/** As the service refuses. */
const request_id = '01900000-0000-7000-8000-000000000001'
const refusal = {
  error: {
    code: 'internal_error',
    message: 'The disk could not be read. Try again, or report it with the request id.',
    request_id,
    feedback: { url: '/v1/feedback', method: 'POST', request_id, docs: '/docs' },
  },
}

/** Longest that a page may load, in milliseconds. A live page keeps its stream open, so this is not "network idle". */
const SETTLE_MS = 15_000 * patience()

/** Photographs a page and answers what a reader would trip over: text outside the window, and complaints of the console. */
export async function photographPage(page: Page, scene: Scene, { size, scheme, forcedColors = false, path }: Shot): Promise<string[]> {
  const faults: string[] = []
  const complain = (message: { type(): string; text(): string }): void => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text())
  }
  page.on('console', complain)
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce', forcedColors: forcedColors ? 'active' : 'none' })
  const { failing } = scene
  if (failing) {
    await page.route(
      url => failing.test(`${url.pathname}${url.search}`) && url.pathname.startsWith('/v1/'),
      route =>
        route.fulfill({
          status: 500,
          json: refusal,
        }),
    )
  }
  const reads = watchReads(page)
  await page.goto(scene.path)
  await page.locator('h1').first().waitFor({ timeout: SETTLE_MS })
  // Skeletons stand for what is still read.
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null, undefined, {
    timeout: SETTLE_MS,
  })
  await scene.open?.(page)
  await reads.settled()
  await page.evaluate(() => document.fonts.ready)
  // What measures itself is drawn in a later frame.
  await page.waitForFunction(() => document.querySelector('.results-figure > div:first-child:empty') === null, undefined, {
    timeout: SETTLE_MS,
  })
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  if (path !== null) await page.screenshot({ path, fullPage: false })
  const overflow = await page.evaluate(() => {
    const main = document.querySelector('main') ?? document.documentElement
    return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - document.documentElement.clientWidth)
  })
  if (overflow > 1) faults.push(`${overflow} px are outside the window`)
  page.off('console', complain)
  reads.end()
  await page.unrouteAll()
  return faults
}

/** What the page reads of the service: it shows its numbers once nothing is asked for, also nothing that an answer led to. */
function watchReads(page: Page) {
  const open = new Set<Request>()
  const begun = (request: Request): void => {
    const { pathname } = new URL(request.url())
    // An event stream stays open for as long as its run works.
    if (pathname.startsWith('/v1/') && !pathname.endsWith('/events')) open.add(request)
  }
  const ended = (request: Request): void => void open.delete(request)
  page.on('request', begun)
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return {
    settled: async (): Promise<void> => {
      do {
        const [request] = open
        if (request) await request.response()
        await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      } while (open.size > 0)
    },
    end: (): void => {
      page.off('request', begun)
      page.off('requestfinished', ended)
      page.off('requestfailed', ended)
    },
  }
}
