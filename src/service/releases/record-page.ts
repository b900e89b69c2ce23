import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import { renderRulePlot } from '../../engine/reporting/releases/render-rule-plot.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { describeBound, describeThreshold, formatRuleFigure } from '../../lib/format/rule-figures.ts'
import type { HtmlPage } from '../http/handler.ts'
import { escapeHtml, staticPage } from '../http/static-page.ts'
import type { StoredRecord } from './records.store.ts'

/** A record to read and print. The signed form is the DSSE file. */
export function recordPage(decision: Decision, { digest, previousDigest, document }: StoredRecord, fingerprint: string): HtmlPage {
  const { plan } = decision
  const facts: readonly (readonly [string, string | null])[] = [
    ['Outcome', decision.status],
    ['Recommendation', decision.recommendation],
    ['Candidate', plan.candidate.label],
    ['Baseline', plan.baseline?.label ?? null],
    ['Suite', `${plan.suite.name}, version ${plan.suite.version}`],
    ['Policy', `${plan.policy.name}, version ${plan.policy.version}`],
    ['Attempt', decision.attempt === null ? null : String(decision.attempt)],
    ['Created', `${decision.created_at} by ${decision.created_by.name}`],
    ['Closed', decision.closed_at],
    ['Plan', decision.plan_digest],
    ['Record', digest],
    ['Previous record', previousDigest],
    ['Signing key', fingerprint],
  ]
  const measured = decision.rules ?? []
  const rules = measured.map(rule => {
    const { key, kind, verdict, estimate, threshold, n, detail } = rule
    const figures = [
      `Estimate ${formatRuleFigure(kind, estimate)}`,
      describeBound(rule),
      threshold === null ? null : `asked for ${describeThreshold(kind, threshold)}`,
      `n = ${formatCount(n)}`,
    ].filter(part => part !== null)
    const texts = [figures.join(', '), detail].map(text => `<small>${escapeHtml(text)}</small>`).join('')
    return `<tr><th scope="row">${escapeHtml(key)}<small>${escapeHtml(verdict)}</small></th><td>${renderRulePlot({ rule, rules: measured })}${texts}</td></tr>`
  })
  const labels = decision.labels.map(label =>
    cells([label.by.name, label.override ? `${label.verdict} (override)` : label.verdict, label.rationale, label.created_at]),
  )
  const body = [
    `<table><tbody>\n${facts.flatMap(([name, value]) => (value === null ? [] : [`<tr><th scope="row">${name}</th><td dir="auto">${escapeHtml(value)}</td></tr>`])).join('\n')}\n</tbody></table>`,
    table('Rules', ['Rule and verdict', 'Figures'], rules),
    table('Human verdicts', ['Who', 'Verdict', 'Rationale', 'When'], labels),
    ...(decision.cautions.length === 0
      ? []
      : [`<h2>Cautions</h2>\n<ul>${decision.cautions.map(text => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`]),
    `<h2>Document</h2>\n<pre>${escapeHtml(JSON.stringify(JSON.parse(document), null, 2))}</pre>`,
  ]
  return staticPage(`Release decision: ${decision.name}`, body.join('\n'))
}

function table(title: string, heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map(name => `<th scope="col">${name}</th>`).join('')
  return `<h2>${title}</h2>\n<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

function cells(values: readonly string[]): string {
  return `<tr>${values.map(value => `<td dir="auto">${escapeHtml(value)}</td>`).join('')}</tr>`
}
