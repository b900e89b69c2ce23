import './tuning.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { allows } from '../../contract/machine.ts'
import { tuneSessionMachine } from '../../contract/tuning/session.machine.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { JobPause } from '../app/pause-description.tsx'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { ExportButton } from '../ui/page/export-button.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ApproveDraft } from './approve-draft.tsx'
import { DraftView } from './draft-view.tsx'
import { QuoteGroup } from './quote-group.tsx'
import { PromptSearch } from './prompt-search.tsx'
import { RaceGroup } from './race-group.tsx'
import { useCancelSession, useSaveExport } from './tuning-groups.queries.ts'
import { sessionQuery } from './tuning.queries.ts'
import { sessionStatuses } from './tuning-words.ts'

export function SessionPage() {
  const { sessionId = '' } = useParams()
  const query = useQuery(sessionQuery(sessionId))
  if (query.data) return <SessionView session={query.data} />
  return (
    <Page>
      <PageHeader title="Tuning session" parent={tuning} />
      <QueryView query={query} failure="Couldn’t load the tuning session">
        {() => null}
      </QueryView>
    </Page>
  )
}

const tuning = { title: 'Tuning', to: '/tuning' } as const

const exports = [
  { format: 'html', title: 'Report (HTML)', detail: 'A page to read and to pass on' },
  { format: 'json', title: 'Everything (JSON)', detail: 'Call, recommended call, grader, cases and groups' },
] as const

function SessionView({ session }: { readonly session: TuneSession }) {
  const { status, problem, groups, draft } = session
  return (
    <Page>
      <PageHeader
        title={session.name}
        parent={tuning}
        aside={<StatusBadge status={sessionStatuses[status]} />}
        description={`Revision ${session.revision}, ${formatCount(draft.case_count)} ${draft.case_count === 1 ? 'case' : 'cases'}`}
        actions={<SessionActions session={session} />}
      />
      {problem ? (
        <Notice tone="fail" title="The session could not continue">
          <UntrustedText text={problem.message} layout="prose" />
        </Notice>
      ) : null}
      {status === 'running' ? <JobPause jobId={session.job_id} /> : null}
      {status === 'quoted' ? <QuoteGroup session={session} /> : null}
      {groups.toReversed().map(group => (
        <RaceGroup key={group.id} session={session} group={group} />
      ))}
      {session.search ? <PromptSearch search={session.search} /> : null}
      {status !== 'quoted' && allows(tuneSessionMachine, status, 'quote') ? <QuoteGroup session={session} /> : null}
      {status === 'draft' ? (
        <DraftView session={session} />
      ) : (
        <details className="tuning-approved">
          <summary>Call, grader and cases</summary>
          <DraftView session={session} />
        </details>
      )}
    </Page>
  )
}

function SessionActions({ session }: { readonly session: TuneSession }) {
  const [asking, setAsking] = useState(false)
  const cancel = useCancelSession(session.id)
  const save = useSaveExport(session)
  return (
    <>
      <RequestMenu operation="getTuneSession" request={{ params: { session_id: session.id } }} />
      {session.conclusion ? (
        <ExportButton
          formats={exports}
          busy={save.isPending}
          onSave={format => save.mutate(format, { onError: error => notifyFailed('Couldn’t export the session', error) })}
        >
          Export
        </ExportButton>
      ) : null}
      {session.conclusion ? (
        <Button component={Link} to={`/tuning/monitors/new?session=${session.id}`} variant="default">
          Create monitor
        </Button>
      ) : null}
      {allows(tuneSessionMachine, session.status, 'cancel') ? (
        <Button variant="default" onClick={() => setAsking(true)}>
          Cancel session
        </Button>
      ) : null}
      {session.status === 'draft' ? <ApproveDraft session={session} /> : null}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Cancel “${session.name}”?`}
        action="Cancel session"
        dismiss="Keep session"
        onConfirm={() => cancel.mutateAsync()}
      >
        A cancelled session cannot be started again. No further calls are made; what was charged stays charged.
      </ConfirmDialog>
    </>
  )
}
