import { createElement as h, type ReactElement } from 'react'
import type { SampleVerdict } from '../contract/runs/samples.schemas.ts'
import { surface, type Tone, toneColor } from './colors.ts'
import { px } from './frame.ts'

/** How an area says what it is without its color: filled, cut by strokes, half filled, hollow, or crossed. */
export type OutcomeSign = 'full' | 'cut' | 'half' | 'hollow' | 'crossed'

export interface OutcomeLook {
  readonly tone: Tone
  readonly sign: OutcomeSign
}

/** Of samples that have ended; the strip of the result page and of the report have the same colors. */
export const outcomeLooks: Readonly<Record<Exclude<SampleVerdict, 'active' | 'pending'>, OutcomeLook>> = {
  correct: { tone: 'pass', sign: 'full' },
  wrong: { tone: 'fail', sign: 'cut' },
  partial: { tone: 'warn', sign: 'half' },
  unscored: { tone: 'human', sign: 'hollow' },
  failed: { tone: 'human', sign: 'crossed' },
  missing: { tone: 'neutral', sign: 'hollow' },
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Pixels between two strokes. */
const gap = 10

/** A box with the color and the sign of an outcome. */
export function outcomeBox({ tone, sign }: OutcomeLook, { x, y, width, height }: Box): ReactElement {
  const color = toneColor[tone]
  const box = { x: px(x), y: px(y), width: px(width), height: px(height) }
  // The outline is inside the box.
  const outline = { x: px(x + 0.5), y: px(y + 0.5), width: px(Math.max(0, width - 1)), height: px(height - 1) }
  switch (sign) {
    case 'full':
      return h('rect', { ...box, fill: color })
    case 'cut':
      return h(
        'g',
        null,
        h('rect', { ...box, fill: color }),
        h('path', { d: strokes(x, y, width, height, 'up'), stroke: surface, strokeWidth: 1.25, fill: 'none' }),
      )
    case 'half':
      return h(
        'g',
        null,
        h('rect', { ...outline, fill: 'none', stroke: color }),
        h('rect', { ...box, y: px(y + height / 2), height: px(height / 2), fill: color }),
      )
    case 'hollow':
      return h('rect', { ...outline, fill: 'none', stroke: color })
    case 'crossed':
      return h(
        'g',
        null,
        h('rect', { ...outline, fill: 'none', stroke: color }),
        h('path', {
          d: strokes(x, y, width, height, 'up') + strokes(x, y, width, height, 'down'),
          stroke: color,
          strokeWidth: 1.25,
          fill: 'none',
        }),
      )
  }
}

/** Diagonals from edge to edge, cut off at both ends of the box. */
function strokes(x: number, y: number, width: number, height: number, direction: 'up' | 'down'): string {
  const parts: string[] = []
  for (let from = gap - height; from < width; from += gap) {
    const start = Math.max(0, from)
    const end = Math.min(width, from + height)
    if (end <= start) continue
    const [high, low] = [start - from, end - from]
    parts.push(
      direction === 'down'
        ? `M${px(x + start)} ${px(y + high)}L${px(x + end)} ${px(y + low)}`
        : `M${px(x + start)} ${px(y + height - high)}L${px(x + end)} ${px(y + height - low)}`,
    )
  }
  return parts.join('')
}
