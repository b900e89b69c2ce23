import { createElement as h, type ReactElement } from 'react'
import { formatCount } from '../lib/format/numbers.ts'
import { formatPercent } from '../lib/format/percent.ts'
import { ink, inkMuted } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, frame, linked, noData, px } from './frame.ts'
import { textWidth } from './labels.ts'
import { outcomeBox, type OutcomeLook } from './outcome-looks.ts'

export interface Outcome extends OutcomeLook {
  /** The word for it, always shown beside its color. */
  readonly label: string
  readonly count: number
  /** Address of the samples that it counts. */
  readonly href?: string
}

export interface OutcomeBarProps extends ChartProps {
  readonly outcomes: readonly Outcome[]
}

const barHeight = 22
const lineHeight = 20

/** Outcomes as one stacked bar, with a label, count and share for each below it. */
export function OutcomeBar({ title, outcomes, width = defaultWidth }: OutcomeBarProps): ReactElement {
  const counted = outcomes.filter(outcome => Number.isFinite(outcome.count) && outcome.count > 0)
  const total = counted.reduce((sum, outcome) => sum + outcome.count, 0)
  if (total === 0) return noData(title, width, 'nothing to count')
  const words = counted.map(outcome => `${outcome.label} ${formatCount(outcome.count)} (${formatPercent(outcome.count / total)})`)
  const places = flow(words, width)
  const lines = (places.at(-1)?.line ?? 0) + 1
  let before = 0
  return frame(
    {
      title,
      description: `Of ${formatCount(total)}: ${words.join(', ')}`,
      width,
      height: barHeight + 8 + lines * lineHeight,
      interactive: counted.some(({ href }) => href !== undefined),
    },
    ...counted.map((outcome, index) => {
      const from = (before / total) * width
      before += outcome.count
      const to = (before / total) * width
      const place = places[index] ?? { x: 0, line: 0 }
      const y = barHeight + 8 + place.line * lineHeight
      const mark = h(
        'g',
        { key: outcome.label },
        h('title', null, words[index]),
        outcomeBox(outcome, { x: from, y: 0, width: Math.max(1, to - from), height: barHeight }),
        outcomeBox(outcome, { x: place.x, y: y + 3, width: 10, height: 10 }),
        h('text', { x: px(place.x + 15), y: y + 12, fill: ink }, words[index]),
      )
      return linked(outcome.href, words[index] ?? '', mark)
    }),
    h('rect', {
      x: 0.5,
      y: 0.5,
      width: width - 1,
      height: barHeight - 1,
      fill: 'none',
      stroke: inkMuted,
      strokeOpacity: 0.4,
      pointerEvents: 'none',
    }),
  )
}

export function outcomeBarTable({ title, outcomes }: OutcomeBarProps): ChartTable {
  const finite = outcomes.filter(outcome => Number.isFinite(outcome.count))
  const total = finite.reduce((sum, outcome) => sum + outcome.count, 0)
  return {
    caption: title,
    columns: [
      { label: 'Outcome', numeric: false },
      { label: 'Samples', numeric: true },
      { label: 'Share', numeric: true },
    ],
    rows: finite.map(({ label, count }) => [label, formatCount(count), formatPercent(total === 0 ? null : count / total)]),
    hrefs: finite.map(({ href, count }) => (count > 0 ? href : undefined)),
  }
}

/** Places words one after another, on as many lines as they need. */
function flow(words: readonly string[], width: number): { x: number; line: number }[] {
  let x = 0
  let line = 0
  return words.map(word => {
    const room = 15 + textWidth(word) + 14
    if (x > 0 && x + room > width) {
      x = 0
      line += 1
    }
    const place = { x, line }
    x += room
    return place
  })
}
