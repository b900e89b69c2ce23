import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BenchmarkDescription } from '../../../../src/renderer/catalog/benchmark-description.tsx'

const shown = (description: string, how_made: string, known_limits: string[]): string =>
  renderToStaticMarkup(<BenchmarkDescription benchmark={{ description, how_made, known_limits }} />)

test('has no section for what a benchmark does not state', () => {
  expect(shown('', ' \n', [])).toBe('')
  const stated = shown('Sums of two numbers.', '', ['Public since 2021.'])
  expect(stated).toContain('What it measures')
  expect(stated).toContain('Public since 2021.')
  expect(stated).not.toContain('How it was made')
})
