import { NavLink } from 'react-router'
import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ComparisonExport } from './comparison-export.tsx'
import { JudgePairs } from './judge-pairs.tsx'

export const allComparisons = { title: 'Compare', to: '/compare' }

/** Header of the pages of a comparison, with links to each: every one has an address of its own. */
export function ComparisonHeader({ comparison }: { readonly comparison: Comparison }) {
  return (
    <>
      <PageHeader
        title={showHidden(comparison.name)}
        parent={allComparisons}
        description={
          <>
            Baseline <UntrustedText text={comparison.runs[0]?.label ?? ''} layout="prose" />, created{' '}
            <RelativeTime at={comparison.created_at} />
          </>
        }
        actions={
          <>
            <RequestMenu operation="getComparison" request={{ params: { comparison_id: comparison.id } }} />
            <JudgePairs comparison={comparison} />
            <ComparisonExport comparison={comparison} />
          </>
        }
      />
      <nav className="page-tabs" aria-label="Parts of this comparison">
        <NavLink to={`/compare/${comparison.id}`} end>
          Statistics
        </NavLink>
        <NavLink to={`/compare/${comparison.id}/matrix`}>
          Matrix <span className="num quiet">{formatCount(comparison.tasks.total)}</span>
        </NavLink>
      </nav>
    </>
  )
}
