import './evaluators.css'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Calibration } from '../../contract/evaluators/calibrations.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { Identifier } from '../ui/values/copy-button.tsx'
import { Estimate, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { orCancelled } from '../ui/values/statuses.ts'
import { CalibrateForm } from './calibrate-form.tsx'
import { calibrationsQuery, evaluatorQuery, useScorerName } from './evaluators.queries.ts'
import { JudgeDetails } from './judge-details.tsx'
import { calibrationStatus, calibrationStatuses, describeDefinition, kindWords, verdictStatuses, whyEnded } from './evaluators-words.ts'

const columns: readonly Column<Calibration>[] = [
  {
    id: 'created',
    title: 'Started',
    width: 150,
    rowHeader: true,
    cell: ({ id, created_at }) => (
      <Anchor component={Link} to={`/evaluators/calibrations/${id}`} fz="inherit">
        <RelativeTime at={created_at} />
      </Anchor>
    ),
  },
  { id: 'version', title: 'Version', width: 76, align: 'end', cell: ({ evaluator_version }) => formatCount(evaluator_version) },
  {
    id: 'status',
    title: 'Status',
    width: 130,
    cell: ({ status, verdict, failure }) => (
      <>
        <StatusBadge status={verdict ? verdictStatuses[verdict] : orCancelled(calibrationStatuses[status], failure)} />
        {whyEnded(failure) === null ? null : <div className="quiet small">{whyEnded(failure)}</div>}
      </>
    ),
  },
  { id: 'n', title: 'Labeled', width: 80, align: 'end', cell: ({ n }) => (n === null ? '–' : formatCount(n)) },
  {
    id: 'agreement',
    title: 'Agreement',
    width: 180,
    align: 'end',
    cell: ({ agreement }) => (agreement ? <Estimate estimate={agreement} bare /> : '–'),
  },
  { id: 'unscored', title: 'Unscored', width: 90, align: 'end', cell: ({ unscored }) => (unscored === null ? '–' : formatCount(unscored)) },
]

export function EvaluatorPage() {
  const { evaluatorVersionId = '' } = useParams()
  const query = useQuery(evaluatorQuery(evaluatorVersionId))
  return (
    <Page>
      <QueryView
        query={query}
        failure="Couldn’t load the evaluator"
        header={<PageHeader title="Evaluator" parent={{ title: 'Evaluators', to: '/evaluators' }} />}
      >
        {evaluator => <Evaluator evaluator={evaluator} />}
      </QueryView>
    </Page>
  )
}

function Evaluator({ evaluator }: { readonly evaluator: EvaluatorSnapshot }) {
  const calibrations = useQuery(calibrationsQuery(evaluator.evaluator_id))
  const { definition } = evaluator
  const nameOf = useScorerName()
  const version = useAddress().get('version')
  return (
    <>
      <PageHeader
        title={evaluator.name}
        parent={{ title: 'Evaluators', to: '/evaluators' }}
        aside={<StatusBadge status={calibrationStatus(evaluator.calibration)} />}
        actions={
          <>
            <RequestMenu operation="getEvaluator" request={{ params: { evaluator_version_id: evaluator.id } }} />
            {evaluator.latest ? (
              <Button component={Link} to={`/evaluators/new?from=${evaluator.id}`} variant="default">
                New version
              </Button>
            ) : null}
          </>
        }
      />
      <KeyValues
        items={{
          Kind: kindWords[definition.kind],
          Definition: describeDefinition(definition, nameOf),
          Version: formatCount(evaluator.version),
          'Judge calls per output': formatCount(evaluator.requires.model_calls_per_output),
          Protocol: evaluator.protocol && `${evaluator.protocol.name}, revision ${evaluator.protocol.revision}`,
          'Version id': <Identifier value={evaluator.id} what="evaluator version id" />,
          Saved: <RelativeTime at={evaluator.created_at} />,
        }}
      />
      {definition.kind === 'model_graded' ? <JudgeDetails judge={definition} /> : null}
      <Section title="Calibrations">
        <QueryView query={calibrations} failure="Couldn’t load the calibrations">
          {rows =>
            rows.length === 0 ? (
              <EmptyState title="Not calibrated">A calibration measures how often this evaluator agrees with people’s labels.</EmptyState>
            ) : (
              <PlainTable label="Calibrations" columns={columns} rows={rows} rowId={({ id }) => id} />
            )
          }
        </QueryView>
      </Section>
      <Section title="New calibration">
        <CalibrateForm evaluator={evaluator} initialVersionId={version === '' ? null : version} />
      </Section>
      <Section title="Full definition">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what may scroll must be reachable by keyboard */}
        <pre className="evaluators-prompt" tabIndex={0} aria-label="Definition">
          {JSON.stringify(definition, null, 2)}
        </pre>
      </Section>
    </>
  )
}
