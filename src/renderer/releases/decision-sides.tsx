import { Anchor, Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import type { Decision, DecisionEvaluation } from '../../contract/releases/decisions.schemas.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { useCreateComparison } from '../comparisons/compare.queries.ts'
import { headlineMetrics } from '../results/headline-metrics.ts'
import { resultsQuery } from '../results/results.queries.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Estimate, Money } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type Measured = DecisionEvaluation & { readonly run_id: string; readonly result_version: number }

interface Side {
  readonly evaluation: Measured
  readonly label: string
  readonly results: Results | undefined
}

const sideWords = { candidate: 'Candidate', baseline: 'Baseline' } as const

const columns: readonly Column<Side>[] = [
  {
    id: 'side',
    title: 'Side',
    width: 220,
    grow: true,
    rowHeader: true,
    cell: ({ evaluation: { side, run_id: run }, label }) => (
      <>
        {sideWords[side]}:{' '}
        <Anchor component={Link} to={`/runs/${run}`} fz="inherit">
          <UntrustedText text={label} layout="inline" />
        </Anchor>
      </>
    ),
  },
  { id: 'group', title: 'Group', width: 150, cell: ({ evaluation: { group } }) => <UntrustedText text={group} layout="inline" /> },
  {
    id: 'score',
    title: 'Score',
    width: 220,
    align: 'end',
    cell: ({ results }) =>
      results === undefined
        ? '…'
        : headlineMetrics(results).map(({ profile_id: id, metric, estimate }) => <Estimate key={`${id} ${metric}`} estimate={estimate} />),
  },
  {
    id: 'attempts',
    title: 'Calls',
    width: 90,
    align: 'end',
    cell: ({ results }) => (results === undefined ? '…' : formatCount(results.usage.model_calls)),
  },
  { id: 'charged', title: 'Charged', width: 100, align: 'end', cell: ({ evaluation }) => <Money microUsd={evaluation.charged_microusd} /> },
  {
    id: 'billed',
    title: 'Provider cost',
    width: 120,
    align: 'end',
    cell: ({ results }) => (results === undefined ? '…' : <Money microUsd={results.billing.provider_billed_microusd} />),
  },
]

/** What both sides scored and cost, and the way to the answers that make the difference. */
export function DecisionSides({ decision }: { readonly decision: Decision }) {
  const measured = decision.evaluations.filter(isMeasured)
  const results = useQueries({ queries: measured.map(({ run_id: run, result_version: version }) => resultsQuery(run, version)) })
  if (measured.length === 0) return null
  const sides = measured.map((evaluation, i): Side => {
    const label = evaluation.side === 'candidate' ? decision.candidate : (decision.baseline ?? '')
    return { evaluation, label, results: results[i]?.data }
  })
  return (
    <Section title="Sides">
      <PlainTable label="Sides" columns={columns} rows={sides} rowId={({ evaluation: { run_id: run, side } }) => `${side} ${run}`} />
      <div className="row">
        {[...new Set(measured.map(({ group }) => group))].map(group => (
          <CompareGroup key={group} decision={decision} evaluations={measured.filter(one => one.group === group)} />
        ))}
      </div>
    </Section>
  )
}

function isMeasured(evaluation: DecisionEvaluation): evaluation is Measured {
  return evaluation.purpose === 'main' && evaluation.run_id !== null && evaluation.result_version !== null
}

/** Gains and losses as a table to filter, with both answers. */
function CompareGroup({ decision, evaluations }: { readonly decision: Decision; readonly evaluations: readonly Measured[] }) {
  const navigate = useNavigate()
  const create = useCreateComparison()
  const of = (side: Measured['side']) => evaluations.findLast(one => one.side === side)
  const [baseline, candidate] = [of('baseline'), of('candidate')]
  if (!baseline || !candidate) return null
  const isOnly = decision.evaluations.filter(isMeasured).every(({ group }) => group === candidate.group)
  return (
    <>
      <Button
        variant="default"
        loading={create.isPending}
        onClick={() =>
          create.mutate(
            {
              name: `${decision.name}: ${candidate.group}`.slice(0, 200),
              run_ids: [baseline.run_id, candidate.run_id],
              baseline_id: baseline.run_id,
              seed: 1,
              options: { level: 0.95, cluster_by: 'cluster', accept_different_prompts: false, tested_metrics: [] },
            },
            { onSuccess: ({ id }) => void navigate(`/compare/${id}`) },
          )
        }
      >
        {isOnly ? 'Compare answers' : `Compare answers: ${candidate.group}`}
      </Button>
      {create.isError ? <ErrorState error={create.error} title="Couldn’t compare the sides" /> : null}
    </>
  )
}
