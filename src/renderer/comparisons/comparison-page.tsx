import './compare.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { Notices } from '../results/notices.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Comparability } from './comparability.tsx'
import { ComparedRuns } from './compared-runs.tsx'
import { ComparedTasks } from './compared-tasks.tsx'
import { comparisonQuery } from './compare.queries.ts'
import { allComparisons, ComparisonHeader } from './comparison-header.tsx'
import { DifferenceBreakdowns } from './difference-breakdowns.tsx'
import { Differences } from './differences.tsx'
import { LabelDifferences } from './label-differences.tsx'
import { Headline } from './headline.tsx'
import { TradeOffs } from './trade-offs.tsx'
import { useContender } from './use-contender.ts'

export function ComparisonPage() {
  const { comparisonId = '' } = useParams()
  const query = useQuery(comparisonQuery(comparisonId))
  return (
    <Page>
      <QueryView
        query={query}
        failure="Couldn’t load the comparison"
        header={<PageHeader title="Comparison" parent={allComparisons} />}
        loading={<LinesSkeleton lines={10} />}
      >
        {comparison => <ComparisonView key={comparison.id} comparison={comparison} />}
      </QueryView>
    </Page>
  )
}

/** From the one sentence down to the single transcript; what must be known before the numbers comes before them. */
function ComparisonView({ comparison }: { readonly comparison: Comparison }) {
  const contender = useContender(comparison)
  // What a check below says is not said twice.
  const told = new Set(comparison.checks.filter(({ status }) => status !== 'pass').map(({ detail }) => detail))
  const cautions = comparison.cautions.filter(({ message }) => !told.has(message))
  return (
    <>
      <ComparisonHeader comparison={comparison} />
      <Headline comparison={comparison} />
      {cautions.length > 0 ? (
        <Section title="Before you quote it">
          <Notices notices={cautions} />
        </Section>
      ) : null}
      <Comparability comparison={comparison} />
      <Differences comparison={comparison} contender={contender} />
      <ComparedTasks comparison={comparison} contender={contender} />
      <TradeOffs comparison={comparison} />
      <DifferenceBreakdowns comparison={comparison} contender={contender} />
      <LabelDifferences comparison={comparison} contender={contender} />
      <ComparedRuns comparison={comparison} />
    </>
  )
}
