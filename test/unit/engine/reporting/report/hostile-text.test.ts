// @vitest-environment jsdom
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExplorerTranscript } from '../../../../../src/engine/reporting/report/explorer/explorer-data.ts'
import { showHidden } from '../../../../../src/lib/format/visible-text.ts'
import { reportOf } from './collect.ts'
import { hostileText, poison } from './hostile.ts'
import { openReport, parseReport } from './open-report.ts'
import { emptySample, fixtureResults, fixtureSample, fixtureSamples } from './run-fixture.ts'
import { contentText } from '../../../../../src/contract/messages/message-text.ts'

const samples = [...fixtureSamples(3), { ...emptySample(6), choices: ['A', 'B'], error: { code: 'bad_response', message: 'cut off' } }]

const allowed = new Set(
  (
    'html head meta title link style body main header section nav footer h1 h2 h3 h4 p ul li a strong span bdi code pre mark div dl dt dd ' +
    'table caption thead tbody tr th td figure figcaption details summary form label input select option button noscript script ' +
    'svg desc g path line rect circle text'
  ).split(' '),
)

/** What a hostile text would leave behind if it were taken for markup. */
function foreign(root: ParentNode): string[] {
  return Array.from(root.querySelectorAll('*')).flatMap(element => [
    ...(allowed.has(element.localName) ? [] : [element.localName]),
    ...Array.from(element.attributes, attribute => attribute.name).filter(name => /^on|^style$|^src|^action$|^autofocus$/.test(name)),
    ...(element instanceof HTMLAnchorElement && !element.getAttribute('href')?.startsWith('#') ? [element.outerHTML] : []),
  ])
}

describe.each(hostileText.map(text => [text]))('%j in every field', text => {
  let html: string
  let page: Document

  beforeAll(async () => {
    html = await reportOf(poison(samples, text), poison(fixtureResults(samples), text))
    page = parseReport(html)
  })

  test('adds nothing to the page but text', () => {
    expect(foreign(page)).toEqual([])
    const counted = ['script', 'style', 'meta', 'link'].map(element => page.querySelectorAll(element).length)
    expect(counted).toEqual([samples.length + 3, 1, 4, 1])
  })

  test('is shown verbatim, hidden characters made visible', () => {
    for (const place of ['title', 'h1', '.sub', '.notice', 'dd', 'tbody th', '#breakdowns figcaption', 'svg text', 'summary + .scroll td'])
      expect(Array.from(page.querySelectorAll(place), element => element.textContent).join(' ')).toContain(showHidden(text).slice(0, 20))
    const visible = Array.from(page.querySelectorAll('main > *:not(script)'), element => element.outerHTML).join('')
    expect(visible.replaceAll('\n', '').match(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u)).toBeNull()
  })

  test('comes out of the data elements as it went in', () => {
    const read = JSON.parse(page.getElementById('transcript-1')?.textContent ?? '') as ExplorerTranscript
    expect(read.output?.text).toBe(text + (fixtureSample(1).output ?? ''))
    expect(read.messages[1]?.text).toBe(text + contentText(fixtureSample(1).messages[1]?.content ?? ''))
    expect(read.scores[0]?.explanation.text).toBe(text + (fixtureSample(1).score_details[0]?.explanation ?? ''))
  })

  test('is text in the explorer too', () => {
    openReport(html)
    for (const line of document.querySelectorAll<HTMLElement>('#rows tr')) line.click()
    expect(foreign(document.body)).toEqual([])
    const shown = document.querySelector('#transcript')?.textContent
    expect(shown).toContain(showHidden(`${text}cut off`))
    expect(shown).toContain(showHidden(`${text}gsm8k-test-6`).slice(0, 60))
    expect('broken' in globalThis).toBe(false)
  })

  test('survives UTF-8', () => {
    expect(Buffer.from(html, 'utf8').toString('utf8')).toBe(html)
  })
})

const lists = ['own/md_exfil.json', 'blns.json', 'fuzzdb/xss-rsnake.txt', 'fuzzdb/xss-other.txt'].map(
  name => [name, join(import.meta.dirname, '../../../../../../shared/badinput', name)] as const,
)

describe.skipIf(lists.some(([, path]) => !existsSync(path)))('lists of attacks (skipped where the shared folder is absent)', () => {
  test.each(lists)('%s: every text is shown as text', async (name, path) => {
    const content = readFileSync(path, 'utf8')
    // The lists are ours to read as they are: JSON of texts or of { text }, or one text per line.
    const entries = name.endsWith('.json') ? (JSON.parse(content) as (string | { text: string })[]) : content.split('\n')
    const texts = entries.map(entry => (typeof entry === 'string' ? entry : entry.text))
    const attacked = texts.map((text, position) => ({ ...poison(fixtureSample(position), text), profile_id: fixtureSample(0).profile_id }))
    const page = parseReport(await reportOf(attacked, poison(fixtureResults(fixtureSamples(3)), '')))
    expect(texts.length).toBeGreaterThan(30)
    expect(foreign(page)).toEqual([])
    for (const [position, text] of texts.entries()) {
      const read = JSON.parse(page.getElementById(`transcript-${position}`)?.textContent ?? 'null') as ExplorerTranscript | null
      expect(read?.messages[0]?.text.startsWith(text.slice(0, 30_000))).toBe(true)
    }
  })
})
