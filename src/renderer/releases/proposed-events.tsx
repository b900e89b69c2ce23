import { Button } from '@mantine/core'
import type { Decision } from '../../contract/releases/decisions.schemas.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useReportIssue } from './releases.queries.ts'
import { issueEventWords, issueStatuses } from './releases-words.ts'

/** What the candidate's answers say of open issues; nothing is recorded before a person sends it. */
export function ProposedEvents({ decision: { proposed_events: events } }: { readonly decision: Decision }) {
  const report = useReportIssue()
  if (events.length === 0) return null
  return (
    <Section title="Issues">
      <p className="quiet" style={{ margin: 0 }}>
        Suggested by the candidate’s answers to the linked tasks. Nothing changes until you choose.
      </p>
      <ul className="releases-events" aria-label="Proposed issue events">
        {events.map(({ issue, reason, body }) => (
          <li key={issue.id} className="row">
            <StatusBadge status={issueStatuses[issue.status]} />
            <span className="releases-event">
              <UntrustedText text={issue.title} layout="prose" />
              <span className="quiet small">{reason}</span>
            </span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${issueEventWords[body.type]}: ${issue.title}`}
              loading={report.isPending && report.variables.issue_id === issue.id}
              onClick={() => report.mutate(body, { onSuccess: () => notifyDone('The issue was updated.') })}
            >
              {issueEventWords[body.type]}
            </Button>
          </li>
        ))}
      </ul>
      {report.isError ? <ErrorState error={report.error} title="Couldn’t record the event" /> : null}
    </Section>
  )
}
