// @vitest-environment jsdom
import { contentText } from '../../../../../src/contract/messages/message-text.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reportOf } from './collect.ts'
import { choose, click, openReport, press, textAt } from './open-report.ts'
import { fixtureResults, fixtureSamples, sampleId } from './run-fixture.ts'

const samples = fixtureSamples(250)
const listed = () => Array.from(document.querySelectorAll('#rows tr'), line => Number(line.getAttribute('data-position')))
const opened = () => textAt('#transcript-title')
const count = (want: (sample: (typeof samples)[number]) => boolean) => samples.filter(want).length

beforeAll(async () => {
  openReport(await reportOf(samples))
})

beforeEach(() => {
  click('#clear')
  click('#rows tr')
})

describe('the list', () => {
  test('shows a page of samples and goes through the rest', () => {
    expect(document.getElementById('explorer')?.hidden).toBe(false)
    expect(listed()).toEqual(Array.from({ length: 100 }, (_, index) => index))
    expect(textAt('#match-count')).toBe('250 samples')
    click('#page-on')
    click('#page-on')
    expect(listed()).toEqual(Array.from({ length: 50 }, (_, index) => 200 + index))
    expect(textAt('#page-text')).toBe('201 to 250 of 250')
    expect(document.getElementById('page-on')?.getAttribute('aria-disabled')).toBe('true')
    click('#page-on')
    expect(listed()[0]).toBe(200)
    click('#page-back')
    expect(listed()[0]).toBe(100)
  })

  test('says what will be printed', () => {
    expect(textAt('#print-note')).toBe('Printed: samples 1 to 100 of 250 samples.')
  })

  test('has an outcome in words, the value of every metric, the answer and the target', () => {
    const right = samples.find(sample => sample.passed === true)
    const cells = Array.from(document.querySelectorAll(`#rows tr[data-position="${right?.position}"] > *`), cell => cell.textContent)
    expect(cells.slice(0, 7)).toEqual([
      String((right?.position ?? 0) + 1),
      right?.task_id,
      '✓ correct',
      '1',
      '1',
      right?.targets[0],
      right?.targets[0],
    ])
  })
})

describe('filters', () => {
  test('by outcome', () => {
    choose('outcome', '0')
    expect(textAt('#match-count')).toBe(`${count(sample => sample.passed === true)} of 250 samples match`)
    choose('outcome', '1')
    expect(textAt('#match-count')).toBe(`${count(sample => sample.passed === false)} of 250 samples match`)
    choose('outcome', '4')
    expect(listed()).toEqual(samples.filter(sample => sample.status === 'failed').map(sample => sample.position))
  })

  test('by part, which its bar and its line of the table choose', () => {
    const inPart = (part: string) => samples.filter(sample => sample.facets['boxes'] === part).length
    choose('outcome', '4')
    click('#breakdowns tbody tr:nth-child(2) a')
    expect(textAt('#match-count')).toBe(`${inPart('3 to 4')} of 250 samples match`)
    const bar = document.querySelector('#breakdowns svg a[href="#part-0"]')
    expect(bar?.querySelector('title')?.textContent).toMatch(/^0 to 2: .*, by boxes$/)
    bar?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    expect(textAt('#match-count')).toBe(`${inPart('0 to 2')} of 250 samples match`)
    expect(document.activeElement?.id).toBe('part')
    choose('part', '')
    expect(textAt('#match-count')).toBe('250 samples')
  })

  test('by disagreement of metrics', () => {
    choose('disagree', true)
    const parted = samples.filter(sample => new Set(sample.score_details.map(score => score.value)).size > 1)
    expect(parted.length).toBeGreaterThan(0)
    expect(listed()).toEqual(parted.map(sample => sample.position))
  })

  test('by text of the line and the transcript, ignoring case', () => {
    choose('search', 'GSM8K-TEST-77')
    expect(listed()).toEqual([77])
    choose(
      'search',
      contentText(samples[33]?.messages[1]?.content ?? '')
        .slice(0, 60)
        .toUpperCase(),
    )
    expect(listed()).toEqual([33])
    choose('search', 'nothing has this text')
    expect(textAt('#match-count')).toBe('No sample matches. Clear the filters to see all.')
  })

  test('are cleared together', () => {
    choose('search', 'gsm8k-test-77')
    choose('outcome', '1')
    click('#clear')
    expect(textAt('#match-count')).toBe('250 samples')
  })
})

describe('the transcript', () => {
  const wrongByFormat = samples.find(sample => sample.score_details[0]?.value === 0 && sample.score_details[1]?.value === 1)

  test('shows prompt, output, target and scores with their explanations', () => {
    click(`#rows tr[data-position="${wrongByFormat?.position}"]`)
    const texts = Array.from(document.querySelectorAll('#transcript pre'), text => text.textContent)
    expect(texts).toEqual([
      ...(wrongByFormat?.messages.map(message => message.content) ?? []),
      wrongByFormat?.output,
      wrongByFormat?.targets[0],
    ])
    const table = Array.from(document.querySelectorAll('#transcript tbody tr'), row => Array.from(row.children, cell => cell.textContent))
    expect(table).toEqual([
      ['Strict match', '0', 'wrong', '–', 'No “####” line in the output.'],
      ['Flexible extract', '1', 'correct', wrongByFormat?.targets[0], wrongByFormat?.score_details[1]?.explanation],
    ])
  })

  test('highlights the extracted answer in the output and names its scorer', () => {
    click(`#rows tr[data-position="${wrongByFormat?.position}"]`)
    const mark = document.querySelector('#transcript pre mark')
    expect(mark?.textContent).toBe(wrongByFormat?.targets[0])
    expect(mark?.previousSibling?.textContent).toBe(wrongByFormat?.output?.slice(0, wrongByFormat.score_details[1]?.answer_span?.start))
    expect(textAt('#transcript p.quiet')).toBe('Highlighted: the answer extracted by Flexible extract')
  })

  test('survives spans that overlap, lie outside the output or are empty', async () => {
    const [sample] = samples.filter(one => one.score_details.length === 2)
    if (sample === undefined) throw new Error('the fixture has no scored sample')
    const spans = [
      { start: 2, end: 6 },
      { start: 4, end: 1_000_000 },
      { start: -3, end: 1 },
      { start: 3, end: 3 },
    ]
    const scores = spans.map((answer_span, index) => ({ ...sample.score_details[0], title: `m${index}`, answer_span }))
    // Every field is there: the spread ones come from a score of the fixture.
    openReport(await reportOf([{ ...sample, output: '0123456789', score_details: scores as typeof sample.score_details }]))
    const marks = Array.from(document.querySelectorAll('#transcript pre mark'), mark => [mark.textContent, mark.className])
    expect(marks).toEqual([
      ['0', 'other'],
      ['23', ''],
      ['45', ''],
      ['6789', 'other'],
    ])
    expect(textAt('#transcript p.quiet')).toBe('Highlighted: the answer extracted by m2 m0 m0, m1 m1')
    openReport(await reportOf(samples))
  })

  test('shows why a sample failed', () => {
    const failed = samples.find(sample => sample.status === 'failed')
    click(`#rows tr[data-position="${failed?.position}"]`)
    expect(textAt('#transcript .notice')).toBe('timeout No complete answer within 60 s.')
  })

  test('says so when the report does not hold it', async () => {
    openReport(await reportOf(samples, fixtureResults(samples), { transcriptBudgetBytes: 0 }))
    click('#rows tr')
    expect(textAt('#transcript .notice')).toBe('This report does not hold the transcript of this sample. The JSON export does.')
  })
})

describe('stepping', () => {
  test('moves by buttons along the filtered list', () => {
    choose('outcome', '1')
    const wrong = samples.filter(sample => sample.passed === false).map(sample => sample.position)
    click('#rows tr')
    expect(opened()).toBe(`Sample ${(wrong[0] ?? 0) + 1}`)
    click('#step-on')
    expect(opened()).toBe(`Sample ${(wrong[1] ?? 0) + 1}`)
    click('#step-back')
    click('#step-back')
    expect(opened()).toBe(`Sample ${(wrong[0] ?? 0) + 1}`)
    expect(document.getElementById('step-back')?.getAttribute('aria-disabled')).toBe('true')
  })

  test('moves by keys, across pages', () => {
    press('j')
    press('j')
    press('k')
    expect(opened()).toBe('Sample 2')
    for (let step = 0; step < 99; step += 1) press('j')
    expect(opened()).toBe('Sample 101')
    expect(listed()[0]).toBe(100)
    expect(document.querySelector('#rows tr.current')?.getAttribute('data-position')).toBe('100')
  })

  test('moves the focus with the arrows in the list', () => {
    const first = document.querySelector<HTMLElement>('#rows button')
    first?.focus()
    press('ArrowDown', first ?? undefined)
    expect(document.activeElement?.textContent).toBe('2')
    expect(document.activeElement?.getAttribute('aria-current')).toBe('true')
  })

  test('leaves keys in fields, with modifiers and outside the list alone', () => {
    press('j', document.getElementById('search') ?? undefined)
    press('ArrowDown')
    document.getElementById('explorer')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', ctrlKey: true, bubbles: true }))
    expect(opened()).toBe('Sample 1')
  })
})

describe('the address', () => {
  test('names the open sample', () => {
    click('#rows tr:nth-child(5)')
    expect(location.hash).toBe(`#sample-${sampleId(4)}`)
  })

  test('opens the named sample despite filters', async () => {
    choose('search', 'gsm8k-test-77')
    const followed = new Promise(resolve => addEventListener('hashchange', resolve, { once: true }))
    location.hash = `#sample-${sampleId(142)}`
    await followed
    expect(opened()).toBe('Sample 143')
    expect(listed()[0]).toBe(100)
  })

  test('opens it when the report is opened with it', async () => {
    openReport(await reportOf(samples), `#sample-${sampleId(7)}`)
    expect(opened()).toBe('Sample 8')
  })
})

test('the theme button goes through system, light and dark', () => {
  const seen = [0, 1, 2].map(() => {
    click('#theme')
    return `${textAt('#theme')} ${document.documentElement.dataset['theme'] ?? '-'}`
  })
  expect(seen).toEqual(['Theme: light light', 'Theme: dark dark', 'Theme: system -'])
})
