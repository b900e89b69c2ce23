import type { Decision, ReleasePolicy, RuleVerdict } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { describeP } from '../../lib/format/p-values.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { describeRule, formatFigure, ruleTitles, verdicts } from './releases-words.ts'
import { RulePlot } from './rule-plot.tsx'

/** The rules of a decision: what each asks, what was found, and whether that suffices. */
export function RuleChecklist({ decision, policy }: { readonly decision: Decision; readonly policy: ReleasePolicy | undefined }) {
  const found = new Map(decision.rules?.map(rule => [rule.key, rule]))
  const keys = policy?.rules.map(({ key }) => key) ?? [...found.keys()]
  return (
    <ol className="releases-checklist" aria-label="Rules">
      {keys.map(key => {
        const rule = policy?.rules.find(one => one.key === key)
        const verdict = found.get(key)
        return (
          <li key={key}>
            <div className="releases-verdict">
              <StatusBadge status={verdict ? verdicts[verdict.verdict] : { word: 'Not tested', tone: 'neutral' }} />
            </div>
            <div className="releases-rule-text">
              <strong>
                {rule ? ruleTitles[rule.kind] : key}
                {rule && !rule.required ? <span className="quiet"> · for information</span> : null}
              </strong>
              {rule && policy ? <span>{describeRule(rule, policy.confidence)}</span> : null}
              {verdict && verdict.detail !== '' ? (
                <span className="quiet">
                  <UntrustedText text={verdict.detail} layout="prose" />
                </span>
              ) : null}
            </div>
            <div className="releases-figures">
              {verdict ? (
                <>
                  <RulePlot rule={verdict} />
                  <span className="small num">{figures(verdict)}</span>
                </>
              ) : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function figures({ kind, estimate, bound, opposite_bound: opposite, n, statistic }: RuleVerdict): string {
  return [
    estimate === null ? null : formatFigure(kind, estimate),
    bound === null
      ? null
      : `one-sided bound ${formatFigure(kind, bound)} to pass${opposite === null ? '' : `, ${formatFigure(kind, opposite)} to fail`}`,
    `n = ${formatCount(n)}`,
    statistic?.p == null ? null : `one-sided ${describeP(statistic.p)}`,
  ]
    .filter(part => part !== null)
    .join(' · ')
}
