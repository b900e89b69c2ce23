import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { CallEditor } from './call-editor.tsx'
import { DraftCases } from './draft-cases.tsx'
import { GraderEditor } from './grader-editor.tsx'
import { ObjectiveEditor } from './objective-editor.tsx'

/** Everything that is approved, on one page: call, grader, objective, cases. */
export function DraftView({ session }: { readonly session: TuneSession }) {
  const { draft, status } = session
  return (
    <>
      {status === 'draft' && draft.missing.length > 0 ? (
        <Notice tone="warn" title="Not ready to approve">
          <ul className="tuning-list">
            {draft.missing.map(part => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <Section title="Call">
        <CallEditor session={session} />
      </Section>
      <Section title="Grader">
        <GraderEditor session={session} />
      </Section>
      <Section title="Objective">
        <ObjectiveEditor session={session} />
      </Section>
      <Section title={`Cases (${formatCount(draft.case_count)})`}>
        <DraftCases session={session} />
      </Section>
    </>
  )
}
