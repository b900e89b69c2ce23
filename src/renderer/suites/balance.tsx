import './suites.css'
import { formatCount } from '../../lib/format/numbers.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { CapabilityCount } from './selection.ts'

/** How many tasks ask for what: a suite that asks one thing only says nothing about the rest. */
export function Balance({ counts, tasks }: { readonly counts: readonly CapabilityCount[]; readonly tasks: number }) {
  if (counts.length === 0)
    return (
      <p className="quiet small" style={{ margin: 0 }}>
        Nothing is chosen yet.
      </p>
    )
  return (
    <dl className="suites-balance" aria-label="Tasks by capability">
      {counts.map(({ capability, tasks: count }) => (
        <div key={capability} style={{ display: 'contents' }}>
          <dt>
            <UntrustedText text={capability} layout="prose" />
          </dt>
          <dd style={{ margin: 0 }} aria-hidden>
            <div className="suites-bar" style={{ width: `${Math.max(2, (100 * count) / Math.max(1, tasks))}%` }} />
          </dd>
          <dd className="num" style={{ margin: 0 }}>
            {formatCount(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
