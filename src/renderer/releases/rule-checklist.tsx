import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import type { ReleasePolicy } from '../../contract/releases/policies.schemas.ts'
import type { RuleVerdict } from '../../contract/releases/verdicts.schemas.ts'
import { hasRulePlot, RulePlot } from '../../charts/rule-plot.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { describeP } from '../../lib/format/p-values.ts'
import { describeBound, formatRuleFigure } from '../../lib/format/rule-figures.ts'
import { useOwnWidth } from '../ui/page/use-own-width.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { describeRule, ruleTitles, verdicts } from './releases-words.ts'

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
                  {hasRulePlot(verdict) ? (
                    <WidePlot rule={verdict} rules={decision.rules ?? []} />
                  ) : (
                    <span className="quiet small">No figures yet</span>
                  )}
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

/** As wide as its column; rules of a unit have the same scale, so that they can be read beside each other. */
function WidePlot({ rule, rules }: { readonly rule: RuleVerdict; readonly rules: readonly RuleVerdict[] }) {
  const { ref, width } = useOwnWidth()
  return <div ref={ref}>{width > 0 ? <RulePlot rule={rule} rules={rules} width={width} /> : null}</div>
}

function figures(rule: RuleVerdict): string {
  const { kind, estimate, n, statistic } = rule
  return [
    estimate === null ? null : formatRuleFigure(kind, estimate),
    describeBound(rule),
    `n = ${formatCount(n)}`,
    statistic?.p == null ? null : describeP(statistic.p),
  ]
    .filter(part => part !== null)
    .join(' · ')
}
