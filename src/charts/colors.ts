/**
 * Colors of every chart, as CSS variables that the page may set for its theme, with fallbacks that read on white and on near-black.
 * Series are the color-blind safe set of Okabe and Ito, without yellow, which has no contrast on white; the baseline is gray.
 * Color is never the only carrier of meaning in a chart.
 */
export const ink = 'var(--chart-ink, #3b3f46)'
export const inkMuted = 'var(--chart-ink-muted, #6b7078)'
export const axis = 'var(--chart-axis, #a3a8b0)'
export const grid = 'var(--chart-grid, #d9dce1)'
/** Outline of points, so that they are visible on top of a line. */
export const surface = 'var(--chart-surface, #ffffff)'
export const baseline = 'var(--chart-baseline, #8a8f98)'

const series = [
  'var(--chart-series-1, #0072b2)',
  'var(--chart-series-2, #d55e00)',
  'var(--chart-series-3, #009e73)',
  'var(--chart-series-4, #cc79a7)',
  'var(--chart-series-5, #e69f00)',
  'var(--chart-series-6, #56b4e9)',
] as const

/** The color of the `index`-th series, from 0; they repeat after six. */
export function seriesColor(index: number): string {
  return series[index % series.length] ?? series[0]
}

/** What an outcome means, for colors that carry meaning. */
export type Tone = 'pass' | 'fail' | 'warn' | 'unscored' | 'running' | 'human' | 'neutral'

export const toneColor: Record<Tone, string> = {
  pass: 'var(--chart-pass, #009e73)',
  fail: 'var(--chart-fail, #d55e00)',
  warn: 'var(--chart-warn, #e69f00)',
  unscored: 'var(--chart-unscored, #8a8f98)',
  running: 'var(--chart-running, #56b4e9)',
  human: 'var(--chart-human, #cc79a7)',
  neutral: 'var(--chart-neutral, #b9bec6)',
}
