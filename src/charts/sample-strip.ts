import { createElement as h, type ReactElement } from 'react'
import { formatCount } from '../lib/format/numbers.ts'
import { formatPercent } from '../lib/format/percent.ts'
import { ink, type Tone, toneColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, frame, noData } from './frame.ts'
import { textWidth } from './labels.ts'

export interface StripKind {
  /** The letter that stands for it in `codes`. */
  readonly code: string
  readonly word: string
  readonly tone: Tone
  /** Height of its cells, as a share of the row: readable without color. */
  readonly height: number
}

export interface SampleStripProps extends ChartProps {
  /** One letter per sample, in the order of the run. */
  readonly codes: string
  readonly kinds: readonly StripKind[]
}

const cellSizes = [12, 10, 8, 6, 4, 3, 2, 1]
const mostHeight = 160
const legendHeight = 24

/** Every sample as one cell in reading order. Neighbors that are alike are one stroke, so that 100,000 samples stay a small drawing. */
export function SampleStrip({ title, codes, kinds, width = defaultWidth }: SampleStripProps): ReactElement {
  if (codes === '') return noData(title, width, 'no samples')
  const rowsOf = (cell: number): number => Math.ceil(codes.length / Math.floor(width / cell))
  const cell = cellSizes.find(size => rowsOf(size) * size <= mostHeight) ?? 1
  const columns = Math.floor(width / cell)
  const height = rowsOf(cell) * cell
  const counted = countStripKinds(codes, kinds)
  const words = counted.map(({ word, count }) => `${formatCount(count)} ${word}`)
  let x = 0
  return frame(
    { title, description: words.join(', '), width, height: height + legendHeight },
    ...counted.map(({ code, tone, height: share }) =>
      h('path', {
        key: code,
        d: strokes(codes, code, columns, cell, share),
        fill: 'none',
        stroke: toneColor[tone],
        strokeWidth: Math.max(0.6, (cell - (cell > 3 ? 1 : 0)) * share),
      }),
    ),
    ...counted.map(({ code, tone, height: share }, index) => {
      const at = x
      const text = words[index] ?? ''
      x += 16 + textWidth(text) + 16
      return h(
        'g',
        { key: `legend-${code}` },
        h('rect', { x: at, y: height + 8 + 10 * (1 - share), width: 10, height: 10 * share, fill: toneColor[tone] }),
        h('text', { x: at + 16, y: height + 17, fill: ink }, text),
      )
    }),
  )
}

export function sampleStripTable({ title, codes, kinds }: SampleStripProps): ChartTable {
  return {
    caption: title,
    columns: [
      { label: 'Outcome', numeric: false },
      { label: 'Samples', numeric: true },
      { label: 'Share', numeric: true },
    ],
    rows: countStripKinds(codes, kinds).map(({ word, count }) => [word, formatCount(count), formatPercent(count / codes.length)]),
  }
}

function countStripKinds(codes: string, kinds: readonly StripKind[]): (StripKind & { readonly count: number })[] {
  const counts = new Map<string, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  return kinds.map(kind => ({ ...kind, count: counts.get(kind.code) ?? 0 })).filter(({ count }) => count > 0)
}

/** A horizontal stroke along the bottom of the row for each stretch of one kind; moves are relative, which keeps them short. */
function strokes(codes: string, code: string, columns: number, cell: number, share: number): string {
  /** A text for each row: one for each stretch of 300,000 samples would be tens of megabytes. */
  const rows: string[] = []
  const thick = Math.max(0.6, (cell - (cell > 3 ? 1 : 0)) * share)
  for (let row = 0; row * columns < codes.length; row++) {
    const line = codes.slice(row * columns, (row + 1) * columns)
    const y = Math.round(((row + 1) * cell - thick / 2) * 10) / 10
    const parts: string[] = []
    let at = 0
    for (let from = line.indexOf(code); from >= 0; ) {
      let to = from
      while (line.charAt(to) === code) to += 1
      // The first of a row says where the row is, the others how far they are from the one before.
      parts.push(at === 0 ? `M${from * cell} ${y}h${(to - from) * cell}` : `m${(from - at) * cell} 0h${(to - from) * cell}`)
      at = to
      from = line.indexOf(code, to)
    }
    rows.push(parts.join(''))
  }
  return rows.join('')
}
