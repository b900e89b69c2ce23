import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const renderer = new URL('../../src/renderer/', import.meta.url).pathname

test('running text has one longest line, which the tokens name', () => {
  const sheets = globSync('**/*.css', { cwd: renderer }).map(file => ({ file, css: readFileSync(renderer + file, 'utf8') }))
  expect(sheets.filter(({ css }) => css.includes('var(--measure)')).map(({ file }) => file)).toContain('app/base.css')
  expect(sheets.filter(({ css }) => /(?:max-width: |minmax\(0, )\d+ch/.test(css)).map(({ file }) => file)).toEqual([])
})
