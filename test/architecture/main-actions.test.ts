import { expect, test } from 'vitest'
import { sources } from './sources.ts'

/** A button without a variant is drawn as the main one. */
const mainButton = /<Button(?![^>]*\bvariant=)[\s>]/
/** As formatted: an element ends at its own indentation. */
const elements = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^( *)<${name}\\b(?:[^\\n]*(?:/>|</${name}>)$|[\\s\\S]*?\\n\\1(?:/>|</${name}>))`, 'gm'))].map(
    ([element]) => element,
  )

test('an empty page has one main action: a button in its middle is not a second one', () => {
  const pages = sources.filter(({ file, text }) => file.endsWith('.tsx') && elements(text, 'PageHeader').some(one => mainButton.test(one)))
  expect(pages.length).toBeGreaterThan(10)
  const doubled = pages.filter(({ text }) => elements(text, 'EmptyState').some(one => mainButton.test(one)))
  expect(doubled.map(({ file }) => file)).toEqual([])
})
