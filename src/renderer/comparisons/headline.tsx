import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { verdicts } from './compare-words.ts'

/** The outcome in plain words, and with several contenders one sentence for each. */
export function Headline({ comparison: { headline, verdicts: found } }: { readonly comparison: Comparison }) {
  const [only, ...others] = found
  return (
    <section aria-label="Verdict" className="stack" style={{ gap: 8 }}>
      {only && others.length === 0 ? <StatusBadge status={verdicts[only.verdict]} /> : null}
      <p className="compare-headline">
        <UntrustedText text={headline} layout="prose" />
      </p>
      {others.length > 0 ? (
        <ul className="compare-verdicts">
          {found.map(({ contender_id: id, verdict, text }) => (
            <li key={id}>
              <StatusBadge status={verdicts[verdict]} />
              <UntrustedText text={text} layout="prose" />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
