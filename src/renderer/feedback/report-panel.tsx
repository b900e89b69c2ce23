import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { FeedbackReport } from '../../contract/feedback/feedback.schemas.ts'
import { useMe } from '../api/session.queries.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { SidePanel } from '../ui/page/split-view.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { ExternalAddress } from '../ui/values/external-address.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AttemptedFacts } from './attempted-facts.tsx'
import { feedbackStatuses, kindWords, severityWords } from './feedback-words.ts'
import { useReport } from './feedback.queries.ts'
import { Triage } from './triage.tsx'

export function ReportPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const query = useReport(id)
  return (
    <SidePanel
      label="Report"
      title={query.data ? <UntrustedText text={query.data.summary} layout="prose" /> : 'Report'}
      onClose={onClose}
      actions={<RequestMenu operation="getFeedback" request={{ params: { feedback_id: id } }} />}
    >
      <QueryView query={query} failure="Couldn’t load the report">
        {report => <ReportDetails report={report} />}
      </QueryView>
    </SidePanel>
  )
}

function ReportDetails({ report }: { readonly report: FeedbackReport }) {
  const { data: me } = useMe()
  const mayTriage = me?.role === 'owner' || me?.role === 'admin'
  const { attempted, agent, client } = report
  return (
    <>
      <div className="row">
        <StatusBadge status={feedbackStatuses[report.status]} />
        <span>{kindWords[report.kind]}</span>
        <span className="quiet">{severityWords[report.severity]}</span>
      </div>
      {report.resolution_note === null ? null : (
        <Section title="Why it was declined">
          <UntrustedText text={report.resolution_note} layout="prose" />
        </Section>
      )}
      {report.pr_url === null ? null : (
        <Section title="Proposed fix">
          <ExternalAddress address={report.pr_url} />
        </Section>
      )}
      {mayTriage ? <Triage report={report} /> : null}
      <Prose title="What was done" text={report.details} />
      <Prose title="Actual result" text={report.actual} />
      <Prose title="What was expected" text={report.expected} />
      {attempted ? (
        <Section title="The request">
          <AttemptedFacts
            attempted={{
              method: attempted.method,
              path: attempted.path,
              requestId: attempted.request_id,
              status: attempted.http_status,
              code: attempted.error_code,
            }}
          />
        </Section>
      ) : null}
      <Section title="Where it came from">
        <KeyValues
          items={{
            Sent: <RelativeTime at={report.created_at} />,
            'Last step': report.updated_at === report.created_at ? null : <RelativeTime at={report.updated_at} />,
            Agent: product(agent),
            Model: agent?.model ? <UntrustedText text={agent.model} layout="inline" /> : null,
            Client: product(client),
            'Contact allowed': report.contact_ok ? 'yes' : 'no',
            'Looks like': report.duplicate_of ? (
              <Anchor component={Link} to={`/feedback?open=${report.duplicate_of}`} fz="inherit">
                an earlier report
              </Anchor>
            ) : null,
            Report: <Identifier value={report.feedback_id} what="report id" shown={36} />,
          }}
        />
      </Section>
    </>
  )
}

function Prose({ title, text }: { readonly title: string; readonly text: string | null }) {
  if (text === null || text === '') return null
  return (
    <Section title={title}>
      <UntrustedText text={text} />
    </Section>
  )
}

function product(named: { readonly name: string | null; readonly version: string | null } | null) {
  return named?.name ? <UntrustedText text={[named.name, named.version].filter(Boolean).join(' ')} layout="prose" /> : null
}
