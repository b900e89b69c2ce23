import './traces.css'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Span, TraceDetail } from '../../contract/traces/traces.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AddToDataset } from './add-to-dataset.tsx'
import { orderSpans } from './order-spans.ts'
import { SpanDetails } from './span-details.tsx'
import { Waterfall } from './waterfall.tsx'
import { useTrace } from './traces.queries.ts'
import { sourceWords } from './traces-columns.tsx'

const parent = { title: 'Traces', to: '/traces' }

export function TracePage() {
  const { traceId = '' } = useParams()
  const query = useTrace(traceId)
  return (
    <Page layout="fill">
      <QueryView query={query} failure="Couldn’t load the trace" header={<PageHeader title="Trace" parent={parent} />}>
        {trace => <TraceView trace={trace} />}
      </QueryView>
    </Page>
  )
}

/** Whether there is something to read; what was left out of the list may have some. */
function hasMessages({ input_messages: input = [], output_messages: output = [], content_omitted: omitted }: Span): boolean {
  return omitted === true || input.length > 0 || output.length > 0
}

function TraceView({ trace }: { readonly trace: TraceDetail }) {
  const { get, set } = useAddress()
  const [adding, setAdding] = useState(false)
  const rows = useMemo(() => orderSpans(trace.spans), [trace.spans])
  const open = trace.spans.find(span => span.span_id === get('span')) ?? rows.find(({ span }) => hasMessages(span))?.span ?? rows[0]?.span
  const tokens = trace.input_tokens === null ? null : `${formatCount(trace.input_tokens)} in, ${formatCount(trace.output_tokens ?? 0)} out`
  const facts = [
    sourceWords[trace.source],
    `${formatCount(trace.span_count)} ${trace.span_count === 1 ? 'span' : 'spans'}`,
    formatDuration(trace.duration_ms),
    ...(tokens === null ? [] : [`tokens: ${tokens}`]),
    ...(trace.error_count > 0 ? [`${formatCount(trace.error_count)} ${trace.error_count === 1 ? 'error' : 'errors'}`] : []),
  ]
  return (
    <>
      <PageHeader
        title={trace.name}
        parent={parent}
        description={
          <>
            {facts.join(' · ')} · <RelativeTime at={trace.started_at} />
          </>
        }
        actions={
          <>
            <RequestMenu operation="getTrace" request={{ params: { trace_id: trace.id } }} />
            <Button variant="default" onClick={() => setAdding(true)}>
              Add to dataset
            </Button>
            <Button component={Link} to={`/environments/new?traces=${trace.id}`}>
              Make a test of this
            </Button>
          </>
        }
      />
      {adding ? <AddToDataset traceIds={[trace.id]} onClose={() => setAdding(false)} onAdded={() => {}} /> : null}
      {trace.annotations.length > 0 ? (
        <ul className="traces-annotations" aria-label="Provider scores">
          {trace.annotations.map(({ span_id, name, value, comment }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- annotations have no identity but their place
            <li key={index} title={span_id ?? undefined}>
              <UntrustedText text={name} layout="inline" />:{' '}
              {typeof value === 'number' ? formatNumber(value, 2) : <UntrustedText text={String(value)} layout="inline" />}
              {comment === null ? null : (
                <span className="quiet">
                  {' '}
                  <UntrustedText text={comment} layout="inline" />
                </span>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      <div className="traces-split">
        <Waterfall rows={rows} openId={open?.span_id ?? null} onOpen={id => set({ span: id })} />
        {open ? <SpanDetails key={open.span_id} traceId={trace.id} span={open} /> : null}
      </div>
    </>
  )
}
