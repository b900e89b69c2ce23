import { createElement as h, type ReactElement } from 'react'
import type { TuneArm, TuneGroup } from '../../../contract/tuning/race.schemas.ts'
import type { TuneSessionListItem } from '../../../contract/tuning/sessions.schemas.ts'
import { section, table, untrusted } from './page/elements.ts'
import { pageEnd, pageStart, sectionHtml } from './page/document.ts'
import { pageStyle } from './style/page-style.ts'
import { themeStyle } from './style/theme.ts'

/** A tuning session as one page that loads nothing: the recommendation, each group's arms and their looks. */
export function tuneReport(session: TuneSessionListItem, groups: readonly TuneGroup[], version: string): string {
  const sections = groups.map(groupSection).map(sectionHtml)
  const title = section('tuning', session.name, h('p', null, untrusted(session.conclusion?.text ?? 'No group has ended.')))
  return [
    pageStart(`${session.name} – Assay tuning report`, '', themeStyle + pageStyle),
    sectionHtml(title),
    ...sections,
    pageEnd(version, ''),
  ].join('')
}

function groupSection(group: TuneGroup): ReactElement {
  const looks = group.arms.flatMap(arm => arm.looks.map(look => ({ arm, look })))
  return section(
    `group-${group.number}`,
    `Group ${group.number}`,
    h('p', null, untrusted(group.conclusion?.text ?? `This group is ${group.status}.`)),
    ...(group.conclusion?.cautions ?? []).map(caution => h('p', { key: caution }, untrusted(caution))),
    table(
      `${group.cases} cases, margin ${points(group.margin)}, one-sided error ${Number(group.alpha.toPrecision(6))}`,
      ['Arm', 'Model', 'Verdict', 'Reason', 'Cases', 'Missing', 'Quality', 'Difference', 'Cost per case (micro-USD)', 'p50 (ms)'].map(
        (label, i) => ({ label, numeric: i > 3 }),
      ),
      group.arms.map(armRow),
    ),
    table(
      'Looks',
      ['Arm', 'Look', 'Cases', 'Difference', 'z', 'Bound', 'Conditional power'].map((label, i) => ({ label, numeric: i > 0 })),
      looks.map(({ arm, look }) => [
        untrusted(arm.label),
        String(look.look),
        String(look.n),
        estimate(look.difference),
        look.z === null ? '–' : look.z.toFixed(2),
        look.bound.toFixed(2),
        look.conditional_power.toFixed(2),
      ]),
    ),
  )
}

function armRow(arm: TuneArm) {
  return [
    untrusted(arm.label),
    untrusted(arm.model.title),
    arm.verdict ?? 'current',
    arm.detail === null ? '' : untrusted(arm.detail),
    String(arm.n),
    String(arm.missing),
    estimate(arm.quality),
    arm.difference ? estimate(arm.difference) : '–',
    arm.cost_per_case_microusd ?? 'unknown',
    arm.latency.p50_ms === null ? '–' : String(Math.round(arm.latency.p50_ms)),
  ]
}

function estimate({ mean, interval }: TuneArm['quality']): string {
  if (mean === null) return '–'
  return interval ? `${mean.toFixed(3)} (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})` : mean.toFixed(3)
}

function points(share: number): string {
  const value = Math.round(share * 1000) / 10
  return `${value} ${value === 1 ? 'point' : 'points'}`
}
