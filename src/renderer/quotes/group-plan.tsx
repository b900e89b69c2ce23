import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { NewRunGroup, RunGroupQuote } from '../../contract/run-groups/run-groups.schemas.ts'
import { benchmarkName } from '../../lib/format/benchmark-names.ts'
import { formatUsd, priceUnknownWithin } from '../../lib/format/money.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useCreateRunGroup } from '../run-groups/run-groups.queries.ts'
import { NameField } from '../ui/forms/name-field.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { NeededFields } from './needed-fields.tsx'
import type { GroupQuote } from './use-group-quote.ts'

interface GroupPlanProps {
  readonly group: GroupQuote
  /** As typed; null for the suggested one. */
  readonly name: string | null
  readonly onName: (typed: string) => void
  readonly onSubmitted: () => void
}

/** What all models together take, and the button that runs them. */
export function GroupPlan({
  group: { quote, request, current, error, retry, missing, refused },
  name,
  onName,
  onSubmitted,
}: GroupPlanProps) {
  const navigate = useNavigate()
  const create = useCreateRunGroup(onSubmitted)
  const problems = [...Object.values(missing), ...Object.values(refused)]
  if (problems.length > 0) return <NeededFields problems={problems} />
  if (error) return <ErrorState error={error} title="This selection cannot be quoted" onRetry={retry} />
  if (!quote || !request) return <LinesSkeleton lines={4} />
  const chosen = (name ?? suggestedName(quote)).trim()
  const body: NewRunGroup = {
    name: chosen,
    quote_ids: quote.quotes.map(({ id }) => id),
    max_charge_microusd: request.max_charge_microusd,
    max_provider_billed_microusd: request.execution.max_provider_billed_microusd,
  }
  const run = (): void => create.mutate(body, { onSuccess: ({ id }) => void navigate(`/run-groups/${id}`) })
  return (
    <div className="stack" aria-busy={!current}>
      <p className="quotes-plan num" aria-live="polite">
        {formatCount(quote.quotes.length)} runs, {formatCount(quote.model_calls)} calls, {price(quote)}
      </p>
      {quote.compatible ? (
        <>
          <NameField label="Group name" value={name ?? suggestedName(quote)} disabled={create.isPending} onChange={onName} />
          <Button fullWidth loading={create.isPending} disabled={!current || chosen === ''} onClick={run}>
            Run {formatCount(quote.quotes.length)} models
          </Button>
          <p className="quotes-note">The spending limits count for all runs together.</p>
          {create.isError ? <ErrorState error={create.error} title="The runs were not submitted" /> : null}
        </>
      ) : (
        <StatusBadge status={{ word: 'Cannot run: see the failed checks', tone: 'fail' }} />
      )}
    </div>
  )
}

function suggestedName({ quotes }: RunGroupQuote): string {
  return `${formatCount(quotes.length)} models on ${benchmarkName(quotes[0]?.profiles ?? [])}`.replaceAll(/\p{Cc}/gu, ' ').slice(0, 200)
}

/** Wallet and providers together. */
function price({ estimated_charge_microusd: charge, provider_billed_estimate_microusd: billed }: RunGroupQuote): string {
  return billed === null ? priceUnknownWithin : formatUsd((BigInt(charge) + BigInt(billed)).toString())
}
