import { expect, test } from 'vitest'
import { sources } from './sources.ts'

const owner = 'renderer/ui/forms/dollar-field.tsx'
/** What only a field of dollars has: its prefix, its keyboard, or its unit in the label. */
const marks = [
  /leftSection=(?:"\$"|\{['"`]\$)/,
  /prefix=(?:"\$"|\{['"`]\$)/,
  /inputMode="decimal"/,
  /label(?:=|: )['"{`][^\n]*(?:\bUSD\b|[dD]ollars\b)/,
]
/** Reading dollars by hand: micro-dollars of one, as a number. */
const reading = /\* ?1_?000_?000n?\b|\* ?1e6\b|scale: 1e-6/

const pages = sources.filter(({ file }) => file.startsWith('renderer/'))

test('one field takes dollars, and one function reads them', () => {
  expect(pages.find(({ file }) => file === owner)?.text).toMatch(marks[0] ?? '')
  const drawn = pages.filter(({ file, text }) => file !== owner && marks.some(mark => mark.test(text)))
  const read = pages.filter(({ text }) => reading.test(text))
  expect([...drawn, ...read].map(({ file }) => file)).toEqual([])
})
