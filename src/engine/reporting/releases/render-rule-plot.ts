import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { RulePlot, type RulePlotProps } from '../../../charts/rule-plot.ts'

/** A rule's plot as SVG markup; empty where there is nothing to draw. */
export function renderRulePlot({ rule, rules }: RulePlotProps): string {
  return renderToStaticMarkup(h(RulePlot, { rule, rules }))
}
