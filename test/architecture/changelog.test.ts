import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const twice = (text: string): string[] => {
  const lines = text.split('\n').filter(line => line.startsWith('- ') || line.startsWith('## '))
  return lines.filter((line, i) => lines.indexOf(line) !== i)
}

test('no line of the changelog stands there twice, as joined branches may leave it', () => {
  expect(twice(readFileSync(new URL('../../resources/CHANGELOG.md', import.meta.url), 'utf8'))).toEqual([])
  expect(twice('## Unreleased\n- A\n- B\n- A')).toEqual(['- A'])
})
