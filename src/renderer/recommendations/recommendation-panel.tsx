import './recommendations.css'
import { useQuery } from '@tanstack/react-query'
import type { RecommendationRequest } from '../../contract/recommendations/recommendations.schemas.ts'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { RecommendationForm } from './recommendation-form.tsx'
import { RecommendationResult } from './recommendation-result.tsx'
import type { Selection } from '../suites/selection.ts'
import { recommendationQuery } from './recommendations.queries.ts'

interface RecommendationPanelProps {
  readonly asked: RecommendationRequest | null
  readonly onAsk: (request: RecommendationRequest) => void
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}

/** Recommends exact tasks for an objective. Starts no work. */
export function RecommendationPanel({ asked, onAsk, selection, onChange }: RecommendationPanelProps) {
  const query = useQuery(recommendationQuery(asked))
  return (
    <div className="stack" style={{ gap: 16 }}>
      <RecommendationForm asked={asked} busy={query.isFetching} onAsk={onAsk} />
      {asked === null ? (
        <EmptyState title="No request yet">
          Searches every task and benchmark on this machine. Past results decide which tasks discriminate between models.
        </EmptyState>
      ) : (
        <QueryView query={query} failure="No recommendation could be made">
          {answer => <RecommendationResult answer={answer} selection={selection} onChange={onChange} />}
        </QueryView>
      )}
    </div>
  )
}
