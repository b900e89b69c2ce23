import './evaluators.css'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { evaluatorKinds } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { FiledTable } from '../items/filed-table.tsx'
import { useFilingQuery } from '../items/use-filing.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { evaluatorsQuery, useScorerName } from './evaluators.queries.ts'
import { EvaluatorsTabs } from './evaluators-tabs.tsx'
import { calibrationStatus, describeDefinition, kindWords } from './evaluators-words.ts'

const kindOptions = Object.entries(kindWords).map(([value, label]) => ({ value, label }))

const evaluatorIdOf = (evaluator: EvaluatorSnapshot) => evaluator.evaluator_id

const columnsWith = (nameOf: (scorer: string) => string): readonly Column<EvaluatorSnapshot>[] => [
  {
    id: 'name',
    title: 'Evaluator',
    width: 200,
    grow: true,
    rowHeader: true,
    cell: ({ id, name }) => <NameLink to={`/evaluators/${id}`} name={name} />,
  },
  { id: 'version', title: 'Version', width: 76, align: 'end', cell: ({ version }) => formatCount(version) },
  { id: 'kind', title: 'Kind', width: 120, cell: ({ definition }) => kindWords[definition.kind] },
  {
    id: 'definition',
    title: 'Definition',
    width: 260,
    cell: ({ definition }) => <UntrustedText text={describeDefinition(definition, nameOf)} layout="prose" />,
  },
  {
    id: 'calls',
    title: 'Judge calls',
    width: 90,
    align: 'end',
    cell: ({ requires }) => formatCount(requires.model_calls_per_output),
  },
  {
    id: 'calibration',
    title: 'Calibration',
    width: 130,
    cell: ({ calibration }) => <StatusBadge status={calibrationStatus(calibration)} />,
  },
  { id: 'created', title: 'Saved', width: 112, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

export function EvaluatorsPage() {
  const { get } = useAddress()
  const filters = { q: get('q'), kind: oneOf(get('kind'), evaluatorKinds) }
  const query = useInfiniteQuery(evaluatorsQuery({ ...filters, ...useFilingQuery('evaluator') }))
  const nameOf = useScorerName()
  const columns = useMemo(() => columnsWith(nameOf), [nameOf])
  return (
    <Page layout="fill">
      <PageHeader
        title="Evaluators"
        description="Scorers and judges, with how far each one agrees with people’s labels."
        actions={
          <>
            <RequestMenu operation="listEvaluators" request={{ query: {} }} />
            <Button component={Link} to="/evaluators/drafts/new" variant="default">
              Draft from a dataset
            </Button>
            <Button component={Link} to="/evaluators/new">
              New evaluator
            </Button>
          </>
        }
      />
      <EvaluatorsTabs />
      <FiledTable
        kind="evaluator"
        plural="evaluators"
        filedId={evaluatorIdOf}
        query={query}
        failure="Couldn’t load evaluators"
        id="evaluators"
        label="Evaluators"
        columns={columns}
        path="/evaluators"
        filters={filters}
        filterFields={
          <>
            <SearchFilter label="Search evaluators" />
            <SelectFilter label="Kind" name="kind" options={kindOptions} width={160} />
          </>
        }
        empty={
          <EmptyState
            title="No evaluators yet"
            picture="judge"
            action={
              <Button variant="default" component={Link} to="/evaluators/new">
                New evaluator
              </Button>
            }
          >
            Write one, or draft candidates from a labeled dataset and see which agrees best.
          </EmptyState>
        }
      />
    </Page>
  )
}
