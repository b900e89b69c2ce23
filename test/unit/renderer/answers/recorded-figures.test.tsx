import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { RecordedFigure } from '../../../../src/contract/answers/answers.schemas.ts'
import { RecordedFigures } from '../../../../src/renderer/answers/recorded-figures.tsx'

const figure = (more: Partial<RecordedFigure> = {}): RecordedFigure => ({
  model: 'org/x',
  task: 'arc',
  metric: 'acc',
  value: 0.5123456,
  standard_error: 0.01,
  n: 1172,
  ...more,
})
const shown = (figures?: readonly RecordedFigure[]) =>
  renderToStaticMarkup(
    <MantineProvider>
      <RecordedFigures record={figures ? { figures: [...figures] } : {}} />
    </MantineProvider>,
  )

test('figures without samples are a table of what was recorded, and say what is unknown', () => {
  const markup = shown([figure(), figure({ metric: 'ppl', value: 1234567.8, standard_error: null, n: null })])
  for (const text of ['Figures without samples, as recorded', 'org/x', '0.5123456', '0.01', '1,172', '1234567.8'])
    expect(markup).toContain(text)
  expect(markup.match(/unknown/g)).toHaveLength(2)
  expect(markup).not.toContain('The first')
})

test('of very many figures the first are shown, and how many there are', () => {
  const markup = shown(Array.from({ length: 150 }, (_, i) => figure({ task: `task-${i}` })))
  expect(markup).toContain('The first 100 of 150 figures')
  expect(markup).toContain('task-99')
  expect(markup).not.toContain('task-100')
})

test('an import without figures shows none', () => {
  expect(shown([figure()])).toContain('<table')
  expect(shown()).not.toContain('<table')
})
