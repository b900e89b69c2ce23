import { Checkbox } from '@mantine/core'
import type { Trace, TraceSource } from '../../contract/traces/traces.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import type { Column } from '../ui/table/column.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

export const sourceWords: Readonly<Record<TraceSource, string>> = {
  otlp: 'OTLP',
  langfuse: 'Langfuse',
  langsmith: 'LangSmith',
  braintrust: 'Braintrust',
}

const facts: readonly Column<Trace>[] = [
  { id: 'name', title: 'Name', width: 128, rowHeader: true, cell: trace => <UntrustedText text={trace.name} layout="inline" /> },
  {
    id: 'input',
    title: 'Input',
    width: 180,
    grow: true,
    cell: trace => <UntrustedText text={trace.input_preview ?? ''} layout="inline" />,
  },
  { id: 'output', title: 'Output', width: 150, cell: trace => <UntrustedText text={trace.output_preview ?? ''} layout="inline" /> },
  {
    id: 'errors',
    title: 'Status',
    width: 80,
    cell: ({ error_count }) =>
      error_count > 0 ? <StatusBadge status={{ word: 'Error', tone: 'fail' }} /> : <span className="quiet">OK</span>,
  },
  { id: 'model', title: 'Model', width: 96, cell: ({ model }) => <UntrustedText text={model ?? ''} layout="inline" /> },
  { id: 'spans', title: 'Spans', width: 60, align: 'end', cell: ({ span_count }) => formatCount(span_count) },
  {
    id: 'tokens',
    title: 'Tokens',
    width: 72,
    align: 'end',
    cell: ({ input_tokens, output_tokens }) =>
      input_tokens === null && output_tokens === null ? (
        <span className="quiet">–</span>
      ) : (
        formatCount((input_tokens ?? 0) + (output_tokens ?? 0))
      ),
  },
  { id: 'duration', title: 'Duration', width: 80, align: 'end', cell: ({ duration_ms }) => formatDuration(duration_ms) },
  { id: 'source', title: 'Source', width: 96, hiddenAtFirst: true, cell: ({ source }) => sourceWords[source] },
  { id: 'started', title: 'Started', width: 116, cell: ({ started_at }) => <RelativeTime at={started_at} /> },
]

/** Space ticks the active row, so the boxes are not stops of the Tab key. */
export function tracesColumns(chosen: ReadonlySet<string>, toggle: (id: string) => void): readonly Column<Trace>[] {
  return [
    {
      id: 'chosen',
      title: 'Select',
      width: 60,
      cell: ({ id, name }) => (
        <Checkbox size="xs" tabIndex={-1} aria-label={`Select ${name}`} checked={chosen.has(id)} onChange={() => toggle(id)} />
      ),
    },
    ...facts,
  ]
}
