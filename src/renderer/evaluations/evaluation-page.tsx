import '../runs/runs.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Evaluation } from '../../contract/evaluations/evaluations.schemas.ts'
import { allows } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { RunHeadline } from '../runs/run-headline.tsx'
import { RunProgressView } from '../runs/run-progress-view.tsx'
import { runQuery } from '../runs/runs.queries.ts'
import { useLiveRun } from '../runs/use-live-run.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { runStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CancelEvaluation } from './cancel-evaluation.tsx'
import { evaluationQuery } from './evaluations.queries.ts'
import { WhatIsAsked } from './what-is-asked.tsx'

const parent = { title: 'Evaluations', to: '/suites/evaluations' }

export function EvaluationPage() {
  const { evaluationId = '' } = useParams()
  const query = useQuery(evaluationQuery(evaluationId))
  return (
    <Page>
      {query.data ? null : <PageHeader title="Evaluation" parent={parent} />}
      <QueryView query={query} failure="Couldn’t load the evaluation">
        {evaluation => <EvaluationOfRun key={evaluation.id} evaluation={evaluation} />}
      </QueryView>
    </Page>
  )
}

function EvaluationOfRun({ evaluation }: { readonly evaluation: Evaluation }) {
  return (
    <QueryView query={useQuery(runQuery(evaluation.run_id))} failure="Couldn’t load the run of the evaluation">
      {run => <LiveEvaluation evaluation={evaluation} read={run} />}
    </QueryView>
  )
}

function LiveEvaluation({ evaluation, read }: { readonly evaluation: Evaluation; readonly read: Run }) {
  const { run, events } = useLiveRun(read)
  return (
    <>
      <PageHeader
        title={showHidden(evaluation.name)}
        parent={parent}
        aside={<StatusBadge status={runStatuses[run.status]} title={run.stop_reason?.message} />}
        description={
          <>
            <UntrustedText text={evaluation.model.title} layout="prose" />
            {evaluation.model.is_model ? '' : ' (not a model)'} on exactly the tasks below
          </>
        }
        actions={
          <>
            <RequestMenu operation="getEvaluation" request={{ params: { evaluation_id: evaluation.id } }} />
            {allows(runMachine, run.status, 'cancel') ? <CancelEvaluation evaluation={evaluation} run={run} /> : null}
            <Button component={Link} to={`/runs/${run.id}/samples`} variant="default">
              Samples
            </Button>
            <Button component={Link} to={`/runs/${run.id}`}>
              {run.result_version === null ? 'Watch the run' : 'Results'}
            </Button>
          </>
        }
      />
      <RunProgressView run={run} connection={events.connection} brief={false} />
      {run.result_version === null ? null : (
        <Section title="Score">
          <RunHeadline run={run} tall />
        </Section>
      )}
      <Section title="Exactly these tasks">
        <WhatIsAsked evaluation={evaluation} />
      </Section>
    </>
  )
}
