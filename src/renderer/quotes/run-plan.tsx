import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { FromForm } from './new-run.ts'
import { PlanPanel } from './plan-panel.tsx'
import { RunButton } from './run-button.tsx'
import type { LiveQuote } from './use-live-quote.ts'

interface RunPlanProps {
  readonly live: LiveQuote
  /** As typed; null for the suggested one. */
  readonly name: string | null
  /** Absent where the name is not asked for. */
  readonly onName?: (typed: string) => void
  readonly onSubmitted?: () => void
  /** What the quote's own page is told. */
  readonly quoteState?: FromForm
}

/** What a run of the selection takes, and the button that submits its quote. */
export function RunPlan({ live, ...rest }: RunPlanProps) {
  const { missing, refused, current } = live
  return (
    <PlanPanel
      requested={live}
      problems={[...Object.values(missing), ...Object.values(refused)]}
      action={quote => <RunButton key={quote.id} quote={quote} current={current} {...rest} />}
      more={({ id }) => (
        <Anchor component={Link} to={`/quotes/${id}`} state={rest.quoteState} fz="xs">
          Full quote
        </Anchor>
      )}
    />
  )
}
