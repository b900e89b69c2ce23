import { describe, expect, test } from 'vitest'
import { guidePages, searchGuide } from '../../../src/renderer/guide/guide-pages.ts'

describe('the guide', () => {
  test('begins with the first run and ends with the glossary; each page has a title and a text', () => {
    expect(guidePages[0]).toMatchObject({ slug: 'first-run', title: 'Run your first evaluation' })
    expect(guidePages.at(-1)?.slug).toBe('glossary')
    expect(guidePages.length).toBeGreaterThanOrEqual(12)
    // One that is not in the order would come before the first.
    expect(guidePages.every(({ title, text }) => title !== '' && text !== '')).toBe(true)
  })

  test('is searched for pages with every word, and shows a line with one of them, without marks', () => {
    const pages = [
      { slug: 'a', title: 'Judges', text: 'First line.\n\nMeasure **kappa** with [people](glossary#kappa).' },
      { slug: 'b', title: 'Runs', text: 'Kappa is not here alone.' },
    ]
    expect(searchGuide('KAPPA people', pages)).toMatchObject([{ slug: 'a', line: 'Measure kappa with people.' }])
    expect(searchGuide('kappa', pages).map(({ slug }) => slug)).toEqual(['a', 'b'])
    expect(searchGuide('', pages).map(({ line }) => line)).toEqual(['First line.', 'Kappa is not here alone.'])
    expect(searchGuide('zebra', pages)).toEqual([])
  })
})
