import './samples.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { SampleDetail } from '../../contract/runs/samples.schemas.ts'
import { runQuery } from '../runs/runs.queries.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { RetrySample } from './retry-sample.tsx'
import { sampleQuery } from './samples.queries.ts'
import { Transcript } from './transcript.tsx'
import { walkKey } from './walk-key.ts'

/** One sample on a page of its own: a shareable address. */
export function SamplePage() {
  const { runId = '', sampleId = '' } = useParams()
  const run = useQuery(runQuery(runId))
  const sample = useQuery(sampleQuery(runId, sampleId))
  const failed = (run.isError && !run.data) || (sample.isError && !sample.data)
  return (
    <Page>
      {failed ? <PageHeader title="Sample" parent={{ title: 'Samples', to: `/runs/${runId}/samples` }} /> : null}
      <QueryView query={run} failure="Couldn’t load the run">
        {knownRun => (
          <QueryView query={sample} failure="Couldn’t load the sample">
            {known => <FullSample run={knownRun} sample={known} />}
          </QueryView>
        )}
      </QueryView>
    </Page>
  )
}

function FullSample({ run, sample }: { readonly run: Run; readonly sample: SampleDetail }) {
  const navigate = useNavigate()
  const address = (id: string): string => `/runs/${run.id}/samples/${id}`
  const { previous_id: previous, next_id: next } = sample
  useEffect(() => {
    const walk = (event: KeyboardEvent): void => {
      const step = walkKey(event)
      const target = step === 1 ? next : step === -1 ? previous : null
      if (target !== null) void navigate(`/runs/${run.id}/samples/${target}`, { replace: true })
    }
    globalThis.addEventListener('keydown', walk)
    return () => globalThis.removeEventListener('keydown', walk)
  }, [navigate, run.id, previous, next])
  return (
    <>
      <PageHeader
        title={sample.title}
        parent={{
          title: `Samples of ${run.name}`,
          to: `/runs/${run.id}/samples?open=${sample.id}`,
        }}
        actions={
          <>
            <RequestMenu operation="getSample" request={{ params: { run_id: run.id, sample_id: sample.id } }} />
            <RetrySample run={run} sampleId={sample.id} />
            <Neighbor label="Previous (k)" to={previous === null ? null : address(previous)} />
            <Neighbor label="Next (j)" to={next === null ? null : address(next)} />
          </>
        }
      />
      <div className="samples-page">
        <Transcript key={sample.id} sample={sample} run={run} />
      </div>
    </>
  )
}

function Neighbor({ label, to }: { readonly label: string; readonly to: string | null }) {
  if (to === null) {
    return (
      <Button variant="default" disabled>
        {label}
      </Button>
    )
  }
  return (
    <Button component={Link} to={to} replace variant="default">
      {label}
    </Button>
  )
}
