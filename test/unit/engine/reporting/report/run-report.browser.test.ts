import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../../../../support/axe.ts'
import { makePng } from '../../../../support/media.ts'
import { browserArguments, findBrowser } from '../../../../support/chromium.ts'
import { reportOf } from './collect.ts'
import { hostileText, poison } from './hostile.ts'
import { emptySample, fixtureResults, fixtureSamples } from './run-fixture.ts'

const executablePath = findBrowser()

/** A page with everything that it must not do written down. */
interface Watched {
  readonly page: Page
  readonly complaints: string[]
}

const lists = ['blns.json', 'own/md_exfil.json', 'fuzzdb/xss-rsnake.txt', 'fuzzdb/xss-other.txt', 'fuzzdb/xss-uri.txt'].map(name =>
  join(import.meta.dirname, '../../../../../../shared/badinput', name),
)

/** JSON of texts or of { text }, or one text per line. */
function textsOf(path: string): string[] {
  const content = readFileSync(path, 'utf8')
  const entries = path.endsWith('.json') ? (JSON.parse(content) as (string | { text: string })[]) : content.split('\n')
  return entries.map(entry => (typeof entry === 'string' ? entry : entry.text))
}

describe.skipIf(!executablePath)('a report in Chromium (skipped where there is none: see test/support/ensure-chromium.ts)', () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-report-'))
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: [...browserArguments] })
  })

  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function openFile(html: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Watched> {
    const file = join(folder, 'report.html')
    await writeFile(file, html)
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => complaints.push(`console: ${message.text()}`))
    page.on('pageerror', error => complaints.push(`error: ${error.message}`))
    page.on('dialog', dialog => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', request => {
      if (request.url() !== pathToFileURL(file).href && !request.url().startsWith('data:')) complaints.push(`request: ${request.url()}`)
    })
    await page.goto(pathToFileURL(file).href)
    return { page, complaints }
  }

  test('shows the pictures of a prompt no larger than 512 pixels, and names those that it does not hold', async () => {
    const [held, absent] = ['a', 'b'].map(letter => `sha256:${letter.repeat(64)}`)
    const samples = fixtureSamples(2).map((sample, i) => ({
      ...sample,
      messages: [{ role: 'user' as const, content: [{ type: 'image' as const, media: (i === 0 ? held : absent) ?? '', alt: 'A cat' }] }],
    }))
    const bytes = makePng([200, 0, 0], { width: 900, height: 600 })
    const thumbnail = (media: string) => Promise.resolve(media === held ? { mediaType: 'image/png' as const, bytes } : null)
    const { page, complaints } = await openFile(await reportOf(samples, fixtureResults(samples), { thumbnail }))
    const picture = page.getByRole('img', { name: 'A cat' })
    expect(await picture.evaluate(image => (image instanceof HTMLImageElement ? image.naturalWidth : 0))).toBe(900)
    expect((await picture.boundingBox())?.width).toBeLessThanOrEqual(512)
    await page.getByRole('button', { name: 'Open sample 2' }).click()
    expect(await page.locator('#transcript').textContent()).toContain(`This report does not hold the image ${absent}.`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('opens from a file, asks for nothing and complains about nothing', async () => {
    const samples = fixtureSamples(300)
    const { page, complaints } = await openFile(await reportOf(samples))
    await page.locator('#rows tr').nth(4).click()
    await page.keyboard.press('j')
    expect(await page.locator('#transcript-title').textContent()).toBe('Sample 6')
    await page.getByLabel('Search').fill('gsm8k-test-123')
    expect(await page.locator('#rows tr').count()).toBe(1)
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).click()
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(20, 22, 26)')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows hostile text as text, executes and loads nothing', async () => {
    const samples = fixtureSamples(hostileText.length).map((sample, index) => ({
      ...poison(sample, hostileText[index] ?? ''),
      profile_id: sample.profile_id,
      score_details: sample.score_details.map(score => ({ ...poison(score, hostileText[index] ?? ''), metric: score.metric })),
    }))
    const results = {
      ...fixtureResults(samples),
      name: hostileText.join(' '),
      notices: hostileText.map(text => ({ code: text, message: text })),
    }
    const { page, complaints } = await openFile(await reportOf(samples, results))
    for (const row of await page.locator('#rows tr').all()) await row.click()
    expect(await page.evaluate(() => 'broken' in globalThis)).toBe(false)
    expect(await page.locator('img, iframe, video, object, embed, math').count()).toBe(0)
    expect(await page.locator('h1').textContent()).toContain('</script><script>globalThis.broken = true</script>')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test.skipIf(lists.some(path => !existsSync(path)))(
    'shows every collected attack as the text that it is (skipped where the shared folder is absent)',
    async () => {
      const texts = lists.flatMap(path => textsOf(path))
      expect(texts.length).toBeGreaterThan(600)
      const samples = texts.map((text, position) => {
        const sample = fixtureSamples(7)[position % 7] ?? emptySample(position)
        return { ...poison({ ...sample, position }, text), profile_id: sample.profile_id }
      })
      const { page, complaints } = await openFile(
        await reportOf(samples, { ...fixtureResults(fixtureSamples(7)), name: texts.slice(0, 50).join(' ') }),
      )
      const seen = await page.evaluate(() => {
        for (const row of document.querySelectorAll<HTMLElement>('#rows tr')) row.click()
        const outputs = Array.from(
          document.querySelectorAll('script[id^=transcript-]'),
          island => JSON.parse(island.textContent ?? '') as { output: { text: string } | null; messages: { text: string }[] },
        )
        return outputs.map(({ output, messages }) => output?.text ?? messages[0]?.text ?? '')
      })
      expect(seen).toHaveLength(texts.length)
      for (const [position, text] of texts.entries()) expect(seen[position]?.startsWith(text.toWellFormed())).toBe(true)
      expect(await page.locator('img, iframe, video, object, embed, math, form[action]').count()).toBe(0)
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  test.each(['light', 'dark'] as const)('has no accessibility fault that a machine can find, %s', async colorScheme => {
    const { page } = await openFile(await reportOf(fixtureSamples(12)), colorScheme)
    await page.locator('#rows tr').nth(6).click()
    // Charts are left out: axe cannot judge colors inside an svg, and their names and tables are tested by themselves.
    const violations = await findViolations(page, {}, ['.chart'])
    expect(
      violations.map(
        violation =>
          `${violation.id}: ${violation.nodes
            .map(node => node.html)
            .join(' ')
            .slice(0, 300)}`,
      ),
    ).toEqual([])
    await page.context().close()
  })

  test('fits a page that is narrow, and one of paper', async () => {
    const { page } = await openFile(await reportOf(fixtureSamples(300)))
    for (const width of [390, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      expect({ width, scroll: await page.evaluate(() => document.documentElement.scrollWidth) }).toEqual({ width, scroll: width })
    }
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#print-note').isVisible()).toBe(true)
    expect(await page.locator('#filters').isVisible()).toBe(false)
    expect(await page.locator('#transcript').isVisible()).toBe(false)
    await page.context().close()
  })
})
