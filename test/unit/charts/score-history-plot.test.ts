import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type HistoryPoint, ScoreHistoryPlot, scoreHistoryTable } from '../../../src/charts/score-history-plot.ts'

const day = 86_400_000
const start = Date.parse('2026-11-01T06:00:00Z')
const point = (n: number, mean: number, change: HistoryPoint['change'] = null): HistoryPoint => ({
  at: start + n * day,
  label: `run ${n}`,
  n: 60,
  mean,
  interval: { low: Math.max(0, mean - 0.1), high: Math.min(1, mean + 0.1) },
  change,
  href: `/runs/${n}`,
})
const series = [{ label: 'Model', points: [point(0, 0.9), point(1, 0.88), point(2, 0.4, 'regression')] }]

test('marks a change with a ring, links each run and tells both without a picture', () => {
  const drawn = renderToStaticMarkup(ScoreHistoryPlot({ title: 'Scores', series }))
  expect(drawn.match(/href="\/runs\/\d"/g)).toHaveLength(3)
  expect(drawn.match(/r="9"/g)).toHaveLength(1)
  expect(drawn).toContain('Model: 3 runs, regression on 2026-11-03')
  expect(scoreHistoryTable({ title: 'Scores', series }).rows.map(([, run, ended, change]) => [run, ended, change])).toEqual([
    ['run 0', '2026-11-01', 'none'],
    ['run 1', '2026-11-02', 'none'],
    ['run 2', '2026-11-03', 'regression'],
  ])
})

test('names times of day where all runs are of one', () => {
  const close = [{ label: 'Model', points: [0, 1, 2].map(n => ({ ...point(0, 0.5), at: start + n * 3_600_000 })) }]
  const drawn = renderToStaticMarkup(ScoreHistoryPlot({ title: 'Scores', series: close }))
  expect(drawn).toContain('>07:00<')
  expect(drawn).not.toContain('>2026-11-01<')
})

test('says so where nothing has a score, and draws no number that is none', () => {
  expect(renderToStaticMarkup(ScoreHistoryPlot({ title: 'Scores', series: [] }))).toContain('No data')
  const odd = [{ label: 'Model', points: [{ ...point(0, Number.NaN), interval: null }, point(1, 0.5)] }]
  expect(renderToStaticMarkup(ScoreHistoryPlot({ title: 'Scores', series: odd }))).not.toContain('NaN')
})
