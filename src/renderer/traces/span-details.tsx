import { Tabs } from '@mantine/core'
import type { Span, TraceMessage } from '../../contract/traces/traces.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { LongText } from '../samples/long-text.tsx'
import { MediaPartView, placeAmong } from '../samples/media-part.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { CopyButton, Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { Reasoning } from '../samples/reasoning.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useSpan } from './traces.queries.ts'

/** One span: messages as text, facts, and everything that came with it. */
export function SpanDetails({ traceId, span: listed }: { readonly traceId: string; readonly span: Span }) {
  const whole = useSpan(traceId, listed.span_id, listed.content_omitted === true)
  const span = whole.data ?? listed
  const isWhole = listed.content_omitted !== true || whole.isSuccess
  const hasNoMessages = isWhole && (span.input_messages ?? []).length === 0 && (span.output_messages ?? []).length === 0
  return (
    <aside className="traces-span" aria-label="Span">
      <h2>
        <UntrustedText text={span.name} layout="inline" />
      </h2>
      {span.status === 'error' ? (
        <Notice tone="fail" title="Error">
          <UntrustedText text={span.status_message ?? 'The span reports no message.'} layout="prose" />
        </Notice>
      ) : null}
      {listed.content_omitted && whole.isPending ? <LinesSkeleton /> : null}
      {whole.isError ? <ErrorState error={whole.error} title="Couldn’t load the span" onRetry={() => void whole.refetch()} /> : null}
      <Tabs defaultValue="messages" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="messages">Messages</Tabs.Tab>
          <Tabs.Tab value="details">Details</Tabs.Tab>
          <Tabs.Tab value="attributes">Attributes</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="messages" pt="sm">
          <Messages title="Input" messages={span.input_messages ?? []} />
          <Messages title="Output" messages={span.output_messages ?? []} />
          {hasNoMessages ? <p className="quiet">This span has no messages. See its attributes, or another span.</p> : null}
        </Tabs.Panel>
        <Tabs.Panel value="details" pt="sm">
          <SpanFacts span={span} />
        </Tabs.Panel>
        <Tabs.Panel value="attributes" pt="sm">
          <LongText text={JSON.stringify(span.attributes, null, 2)} />
        </Tabs.Panel>
      </Tabs>
    </aside>
  )
}

function SpanFacts({ span }: { readonly span: Span }) {
  const { usage } = span
  const count = (value: number | null | undefined) => (value === null || value === undefined ? null : formatCount(value))
  return (
    <KeyValues
      items={{
        Kind: span.kind,
        Model: span.model === undefined ? null : <UntrustedText text={span.model} layout="inline" />,
        Started: <RelativeTime at={span.started_at} />,
        Duration: formatDuration(span.duration_ms),
        'Input tokens': count(usage?.input_tokens),
        'Output tokens': count(usage?.output_tokens),
        'Cache read tokens': count(usage?.cache_read_tokens),
        'Cache write tokens': count(usage?.cache_write_tokens),
        Revision: span.revision > 1 ? formatCount(span.revision) : null,
        'Span ID': <Identifier value={span.span_id} what="span id" shown={16} />,
      }}
    />
  )
}

function Messages({ title, messages }: { readonly title: string; readonly messages: readonly TraceMessage[] }) {
  if (messages.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ol className="traces-messages">
        {messages.map(({ role, content, media = [], reasoning, tool_calls = [] }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- messages have no identity but their place
          <li key={index}>
            <div className="row traces-role">
              <UntrustedText text={role} layout="inline" />
              <CopyButton value={content} what={`${title.toLowerCase()} message ${index + 1}`} />
            </div>
            <Reasoning reasoning={reasoning ?? null} />
            {media.map((part, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- a message may show one file twice
              <MediaPartView key={place} part={part} of={`${placeAmong(media, part)} of the trace`} />
            ))}
            {content === '' ? null : <LongText text={content} />}
            {tool_calls.map(({ name, arguments: given }, call) => (
              // oxlint-disable-next-line react/no-array-index-key -- likewise
              <div key={call} className="traces-call">
                Tool call <UntrustedText text={name} layout="inline" />
                <LongText text={given} />
              </div>
            ))}
          </li>
        ))}
      </ol>
    </section>
  )
}
