import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { Results } from '../../../../../src/contract/runs/results.schemas.ts'
import { renderRunReport } from '../../../../../src/engine/reporting/report/run-report.ts'
import { fixtureAnnotations } from './annotations-fixture.ts'
import { reportOf, textsInMemory } from './collect.ts'
import { emptySample, fixtureResults, fixtureSample, fixtureSamples, metrics } from './run-fixture.ts'

const samples = fixtureSamples(200)

/** The page's words, without markup, scripts and styles. */
function words(html: string): string {
  return html
    .replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
}

describe('renderRunReport', () => {
  test('is tested with results that the contract accepts', () => {
    expect(Results.parse(fixtureResults(samples))).toEqual(fixtureResults(samples))
  })

  test('gives the same bytes for the same input', async () => {
    expect(await reportOf(samples)).toBe(await reportOf(structuredClone(samples)))
  })

  test('says the score, its interval, n, method and notices at the top', async () => {
    const [top = ''] = words(await reportOf(samples)).split('What was run')
    expect(top).toContain('GSM8K, 5-shot · Strict match')
    expect(top).toContain('55.6 % [48.6, 62.3]')
    expect(top).toContain('n = 198 · 95 % interval: Wilson score')
    expect(top).toMatch(/ · 2 without a score \(worst case 55\.0 %\)/)
    expect(top.match(/48\.6/g)).toHaveLength(1)
    expect(top).toContain('Some samples have no score; the score is over those that have one.')
  })

  test('has every section', async () => {
    const html = await reportOf(samples)
    const headings = [...html.matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(match => match[1])
    expect(headings).toEqual([
      'What was run',
      'Scores',
      'Breakdowns',
      'Outcomes and errors',
      'Samples in order',
      'Where metrics disagree',
      'Score over time',
      'Latency and tokens',
      'Cost',
      'Reproducibility',
      'Notices and cautions',
      'Samples',
    ])
    const links = [...html.matchAll(/<a href="#([a-z]+)"/g)].map(match => match[1])
    expect(links.length).toBe(headings.length)
    for (const id of links) expect(html).toContain(`<section id="${id}"`)
  })

  test('shows right and wrong answers apart in the bar of outcomes', async () => {
    const text = words(await reportOf(samples))
    expect(text).toContain('correct 110 (')
    expect(text).toContain('wrong 88 (')
  })

  test('holds notes and tags as text, and has no section for them where there are none', async () => {
    const html = await reportOf(samples, fixtureResults(samples), { annotations: fixtureAnnotations })
    expect(html).toContain('<section id="annotations"')
    expect(html).toContain('Prompt changed.\nSee &lt;i&gt;ticket&lt;/i&gt; 7.')
    expect(html).toContain('release 2.1')
    expect(html).toContain(`<a href="#sample-${fixtureAnnotations[1]?.sample_id}">2</a>`)
    expect(await reportOf(samples)).not.toContain('id="annotations"')
  })

  test('counts where strict and flexible matching agree and part', async () => {
    const pairs = samples.map(sample => sample.score_details.map(score => score.value).join())
    const count = (pair: string) => pairs.filter(one => one === pair).length
    const text = words(await reportOf(samples))
    expect(count('0,1')).toBeGreaterThan(0)
    expect(text).toContain(`GSM8K, 5-shotStrict matchFlexible extract${count('1,1')}${count('1,0')}${count('0,1')}${count('0,0')}`)
  })

  test('draws what only the samples know', async () => {
    const html = await reportOf(samples)
    expect(html).toContain('aria-label="Latency of answers"')
    expect(html).toContain('aria-label="GSM8K, 5-shot"')
    expect(html).toContain('samples scored')
  })

  test('marks a baseline as what it is', async () => {
    const results = fixtureResults(samples)
    results.reproducibility.model.is_model = false
    expect(words(await reportOf(samples, results))).toContain('(a baseline, not a model)')
  })

  test('shows a sample of a benchmark as a sample, with its seed', async () => {
    const results = fixtureResults(samples)
    results.coverage = { ...results.coverage, mode: 'sample', full_benchmark: false, sample_count: 200, seed: 42 }
    expect(words(await reportOf(samples, results))).toContain('up to 200 tasks of each profile, 200 samples, seed 42')
  })

  test('withholds the band where a task comes more than once', async () => {
    const results = fixtureResults(samples)
    results.coverage.epochs = 3
    expect(words(await reportOf(samples, results))).toContain('No band where a score can be partial')
    expect(words(await reportOf(samples))).not.toContain('No band where a score can be partial')
  })

  test('renders a run without samples, saying what is missing', async () => {
    const text = words(await reportOf([]))
    expect(text).toContain('no score')
    expect(text).toContain('no sample has a score')
    expect(text).toContain('No data: nothing has a score')
    expect(text).toContain('The run has no samples.')
    expect(text).not.toMatch(/NaN|undefined|\bnull\b/)
  })

  test('renders a run of one sample, and one in which everything failed', async () => {
    expect(words(await reportOf([fixtureSample(1)]))).toContain('n = 1')
    const failed = Array.from({ length: 5 }, (_, position) => ({
      ...emptySample(position),
      status: 'failed' as const,
      error: { code: 'timeout', message: 'too slow' },
    }))
    const results: Results = {
      ...fixtureResults(failed),
      status: 'failed',
      stop_reason: { code: 'credential_refused', message: 'The provider refused the key.' },
    }
    const text = words(await reportOf(failed, results))
    expect(text).toContain('Ended early. The provider refused the key.')
    expect(text).toContain('No complete answer within the time limit.')
    expect(text).not.toMatch(/NaN|undefined|\bnull\b/)
  })

  test('leaves out sections about what a run does not have', async () => {
    const results = fixtureResults(samples)
    results.breakdowns = []
    results.metrics = results.metrics.slice(0, 1)
    results.reproducibility.profiles = results.reproducibility.profiles.map(profile => ({ ...profile, metrics: metrics.slice(0, 1) }))
    const html = await reportOf(samples, results)
    expect(html).not.toContain('id="breakdowns"')
    expect(html).not.toContain('id="agreement"')
    expect(html).not.toContain('href="#breakdowns"')
    expect(html).not.toContain('href="#agreement"')
  })

  test('refuses samples out of order and samples of another run, naming them', async () => {
    await expect(reportOf([fixtureSample(1), fixtureSample(0)])).rejects.toThrow('position 0 came after 1')
    await expect(reportOf([{ ...fixtureSample(0), profile_id: 'other' }])).rejects.toThrow('profile "other", which is not in the results')
  })
})

describe('the content policy of a report', () => {
  test('allows nothing but the one script and the one style that the file holds', async () => {
    const html = await reportOf(samples)
    const hash = (text: string | undefined) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(match => match[1])
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(match => match[1])
    expect([styles.length, scripts.length]).toEqual([1, 1])
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&#x27;', "'")
    expect(policy).toBe(
      `default-src 'none'; style-src ${hash(styles[0])}; script-src ${hash(scripts[0])}; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`,
    )
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<style>'))
  })

  test('has no style attribute, no handler and no address outside the file for it to block', async () => {
    const html = (await reportOf(samples)).replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '')
    expect(html).not.toMatch(/<[^>]+\s(style|on\w+|src|srcset|action)=/i)
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(match => match[1] ?? '')
    expect(addresses.filter(address => !address.startsWith('#'))).toEqual([expect.stringMatching(/^data:image\/svg\+xml,/)])
  })
})

describe('a big run', () => {
  test('streams: no chunk holds more than a small part of the file, and writing waits for a slow reader', async () => {
    const count = 50_000
    const results = fixtureResults(fixtureSamples(10))
    let read = 0
    async function* many() {
      for (; read < count; read += 1) yield fixtureSample(read)
    }
    let largest = 0
    let total = 0
    let readAtHalf = 0
    await renderRunReport(
      results,
      many(),
      async chunk => {
        largest = Math.max(largest, chunk.length)
        total += chunk.length
        if (readAtHalf === 0 && chunk.includes('gsm8k-test-24999')) readAtHalf = read
        await Promise.resolve()
      },
      { transcriptBudgetBytes: 1_000_000, texts: textsInMemory() },
    )
    expect(read).toBe(count)
    expect(largest).toBeLessThan(250_000)
    expect(total).toBeGreaterThan(5_000_000)
    expect(readAtHalf).toBeGreaterThan(0)
    expect(readAtHalf).toBeLessThan(26_000)
  })

  test('lists every sample, holds transcripts within the budget and says how many', async () => {
    const many = fixtureSamples(2000)
    const html = await reportOf(many, fixtureResults(many), { transcriptBudgetBytes: 200_000 })
    const rows = [...html.matchAll(/class="explorer-rows">(.*?)<\/script>/gs)].flatMap(match => JSON.parse(match[1] ?? '[]') as unknown[])
    const transcripts = [...html.matchAll(/<script type="application\/json" id="transcript-\d+">.*?<\/script>\n/gs)]
    expect(rows.length).toBe(2000)
    expect(transcripts.reduce((sum, match) => sum + Buffer.byteLength(match[0]), 0)).toBeLessThanOrEqual(200_000)
    expect(transcripts.length).toBeGreaterThan(50)
    expect(words(html)).toContain(
      `All 2,000 samples are listed. To keep the file small, ${transcripts.length} of them come with their transcript (up to 200 kB)`,
    )
    expect(words(await reportOf(samples))).toContain('All 200 samples are listed, each with its transcript.')
  })

  test('holds a thumbnail of each picture of its transcripts once while 20 MB last, and says how many it does not hold', async () => {
    const digest = (letter: string) => `sha256:${letter.repeat(64)}`
    const shown = fixtureSamples(4).map((sample, i) => ({
      ...sample,
      messages: [{ role: 'user' as const, content: [{ type: 'image' as const, media: digest('aabc'.charAt(i)) }] }],
    }))
    const sizes = new Map([
      [digest('a'), 3],
      [digest('b'), 15_100_000],
    ])
    const html = await reportOf(shown, fixtureResults(shown), {
      thumbnail: media => {
        const size = sizes.get(media)
        return Promise.resolve(size === undefined ? null : { mediaType: 'image/png', bytes: Buffer.alloc(size, 'x') })
      },
    })
    expect([...html.matchAll(/id="media-(\w)/g)].map(([, first]) => first)).toEqual(['a'])
    expect(html).toContain(`id="media-${'a'.repeat(64)}">{"type":"image/png","base64":"eHh4"}</script>`)
    expect(words(html)).toContain(
      'The transcripts show 3 different images, 1 of which are in this file (thumbnails of at most 512 pixels a side, up to 20 MB together). The others are named by their digest.',
    )
  })
})
