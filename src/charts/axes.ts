import { createElement as h, type ReactElement } from 'react'
import { axis, grid, inkMuted } from './colors.ts'
import { px } from './frame.ts'
import { textWidth } from './labels.ts'

interface Scale {
  (value: number): number
  ticks: (count?: number) => number[]
}

interface Axis {
  readonly scale: Scale
  readonly format: (value: number) => string
  readonly ticks: number
}

/** A thin horizontal axis at `y`, with hairlines up to `top` and its unit at the right end. */
export function bottomAxis({
  scale,
  format,
  ticks,
  y,
  top,
  from,
  to,
}: Axis & { y: number; top: number; from: number; to: number }): ReactElement {
  return h(
    'g',
    { 'aria-hidden': true },
    ...apartTicks({ scale, format, ticks }).map(tick => {
      const x = px(scale(tick))
      return h(
        'g',
        { key: tick },
        h('line', { x1: x, x2: x, y1: px(top), y2: px(y), stroke: grid }),
        h('text', { x, y: px(y + 15), textAnchor: 'middle', fontSize: 11, fill: inkMuted }, format(tick)),
      )
    }),
    h('line', { x1: px(from), x2: px(to), y1: px(y), y2: px(y), stroke: axis }),
  )
}

const labelSize = 11
/** Pixels between two labels. */
const labelGap = 6

/** As many round values as their labels have room for side by side, at most about `ticks`. */
function apartTicks({ scale, format, ticks }: Axis): number[] {
  const isApart = (values: readonly number[]): boolean =>
    values.every((value, index) => {
      const before = values[index - 1]
      if (before === undefined) return true
      // Whole units, of values that are closer together, read alike.
      if (format(before) === format(value)) return false
      const room = (textWidth(format(before), labelSize) + textWidth(format(value), labelSize)) / 2 + labelGap
      return Math.abs(scale(value) - scale(before)) >= room
    })
  for (let count = ticks; count > 1; count--) {
    const values = scale.ticks(count)
    if (isApart(values)) return values
  }
  return scale.ticks(1)
}

/** Hairlines across from `from` to `to`, with their values left of them. */
export function leftAxis({ scale, format, ticks, from, to }: Axis & { from: number; to: number }): ReactElement {
  return h(
    'g',
    { 'aria-hidden': true },
    ...scale.ticks(ticks).map(tick => {
      const y = px(scale(tick))
      return h(
        'g',
        { key: tick },
        h('line', { x1: px(from), x2: px(to), y1: y, y2: y, stroke: grid }),
        h('text', { x: px(from - 6), y: px(y + 4), textAnchor: 'end', fontSize: 11, fill: inkMuted }, format(tick)),
      )
    }),
  )
}

/** Ticks of score axes are round numbers of percent. */
export function percentTick(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10} %`
}
