import './releases.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { showHidden } from '../../lib/format/visible-text.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AnalyzeForm } from './analyze-form.tsx'
import { evidenceFormats } from './evidence-formats.ts'
import { evidenceQuery } from './releases.queries.ts'

const parent = { title: 'Evidence', to: '/releases/evidence' }

export function EvidenceDetailPage() {
  const { evidenceId = '' } = useParams()
  return (
    <Page>
      <QueryView
        query={useQuery(evidenceQuery(evidenceId))}
        failure="Couldn’t load the evidence"
        header={<PageHeader title="Evidence" parent={parent} />}
      >
        {evidence => (
          <>
            <PageHeader
              title={showHidden(evidence.name)}
              parent={parent}
              actions={<RequestMenu operation="getEvidence" request={{ params: { evidence_id: evidence.id } }} />}
            />
            <KeyValues
              items={{
                Format: evidenceFormats[evidence.format],
                Tool: <UntrustedText text={evidence.source.tool} layout="prose" />,
                'SHA-256': <Identifier value={evidence.sha256} what="SHA-256" shown={16} />,
                Received: <RelativeTime at={evidence.created_at} />,
                Statement: evidence.statement ? <UntrustedText text={evidence.statement.text} layout="prose" /> : null,
              }}
            />
            <AnalyzeForm evidence={evidence} />
          </>
        )}
      </QueryView>
    </Page>
  )
}
