import { scaleLinear } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import type { RuleVerdict } from '../contract/releases/verdicts.schemas.ts'
import { formatCount, formatSigned } from '../lib/format/numbers.ts'
import {
  decidingBound,
  describeBound,
  describeThreshold,
  formatRuleFigure,
  isUpward,
  ruleUnit,
  type RuleUnit,
} from '../lib/format/rule-figures.ts'
import { bottomAxis, percentTick } from './axes.ts'
import { ink, inkMuted, seriesColor, surface, toneColor } from './colors.ts'
import { frame, px } from './frame.ts'
import { textWidth } from './labels.ts'

export interface RulePlotProps {
  readonly rule: RuleVerdict
  /** All rules of the decision: those of one unit share an axis, so that they can be read beside each other. */
  readonly rules: readonly RuleVerdict[]
  readonly width?: number
}

export const rulePlotWidth = 360
/** Room for half a label at both ends. */
const margin = 30
/** Between two values of the axis, about. */
const pixelsPerTick = 90
const [bandTop, row, bottom, height] = [16, 27, 38, 56]

/** Whether there is something to draw: an estimate and what it is measured against. */
export function hasRulePlot({ estimate, bound, threshold }: RuleVerdict): boolean {
  return estimate !== null && (bound !== null || threshold !== null)
}

/**
 * A rule's estimate on an axis with its values. The side where the rule passes is shaded from the threshold on. The test is one-sided, so
 * its interval has one end, the bound that the verdict rests on, and an arrow where it is open.
 */
export function RulePlot({ rule, rules, width = rulePlotWidth }: RulePlotProps): ReactElement | null {
  const { kind, estimate, threshold, n } = rule
  if (estimate === null || !hasRulePlot(rule)) return null
  const [left, right] = [margin, width - margin]
  const x = scaleLinear([...axisOf(ruleUnit(kind), rules)], [left, right]).clamp(true)
  const side = decidingBound(rule)
  const title = [
    `Estimate ${formatRuleFigure(kind, estimate)}`,
    describeBound(rule),
    threshold === null ? null : `the rule asks for ${describeThreshold(kind, threshold)}`,
    `n = ${formatCount(n)}`,
  ]
    .filter(part => part !== null)
    .join(', ')
  return frame(
    { title, description: 'The side where the rule passes is shaded. The arrow marks the open side of the interval.', width, height },
    threshold === null ? null : passingSide(kind, threshold, x, [left, right]),
    bottomAxis({
      scale: x,
      format: value => tickOf(kind, value),
      ticks: Math.max(4, Math.round(width / pixelsPerTick)),
      y: bottom,
      top: bandTop,
      from: left,
      to: right,
    }),
    side === null ? null : openInterval(side, x, side.above ? right : left),
    h('circle', { cx: px(x(estimate)), cy: row, r: 5, fill: seriesColor(0), stroke: surface, strokeWidth: 1.5 }),
  )
}

/** Points keep their unit for the threshold's label, which is above the axis. */
function tickOf(kind: string, value: number): string {
  const unit = ruleUnit(kind)
  if (unit === 'share') return percentTick(value)
  if (unit !== 'points') return formatRuleFigure(kind, value)
  const inPoints = Math.round(value * 1000) / 10
  return formatSigned(inPoints, Number.isInteger(inPoints) ? 0 : 1)
}

type Scale = (value: number) => number

/** The part of the axis that passes, with the threshold as its edge and its label above. */
function passingSide(kind: string, threshold: number, x: Scale, [left, right]: readonly [number, number]): ReactElement {
  const at = px(x(threshold))
  const up = isUpward(kind)
  const label = describeThreshold(kind, threshold)
  const half = textWidth(label, 11) / 2
  return h(
    'g',
    { 'aria-hidden': true },
    h('rect', {
      x: up ? at : left,
      y: bandTop,
      width: px(Math.max(0, up ? right - at : at - left)),
      height: bottom - bandTop,
      fill: toneColor.pass,
      opacity: 0.14,
    }),
    h('line', { x1: at, x2: at, y1: bandTop - 3, y2: bottom, stroke: ink, strokeWidth: 1.5, strokeDasharray: '3 2' }),
    h(
      'text',
      { x: px(Math.min(Math.max(at, half), right + margin - half)), y: 10, textAnchor: 'middle', fontSize: 11, fill: inkMuted },
      label,
    ),
  )
}

/** From the bound to the open end of the axis. */
function openInterval({ at, above }: { readonly at: number; readonly above: boolean }, x: Scale, end: number): ReactElement {
  const [from, back] = [px(x(at)), above ? -6 : 6]
  return h('path', {
    // Beside the end of the axis there is no room for a head.
    d: `M${from} ${row - 6}v12M${from} ${row}H${end}${Math.abs(end - from) < 10 ? '' : `M${end + back} ${row - 4}L${end} ${row}l${back} 4`}`,
    stroke: seriesColor(0),
    strokeWidth: 2,
    fill: 'none',
  })
}

/** Both ends of the axis that rules of a unit share. */
function axisOf(unit: RuleUnit, rules: readonly RuleVerdict[]): readonly [number, number] {
  if (unit === 'share') return [0, 1]
  const values = rules
    .filter(({ kind }) => ruleUnit(kind) === unit)
    .flatMap(({ estimate, bound, opposite_bound: opposite, threshold }) => [estimate, bound, opposite, threshold])
    .filter(value => value !== null)
  const least = Math.min(0, ...values)
  if (unit === 'kappa') return [least, 1]
  const most = Math.max(unit === 'points' ? 0.01 : 1, ...values)
  const [low = least, high = most] = scaleLinear([unit === 'points' ? least - 0.01 : least, most * 1.05], [0, 1])
    .nice(4)
    .domain()
  return [low, high]
}
