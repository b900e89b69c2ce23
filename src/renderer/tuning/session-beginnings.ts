import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { NewTuneCase } from '../../contract/tuning/draft.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'
import type { Found } from '../ui/forms/search-select.tsx'
import { callSpan, tracedCall } from './traced-call.ts'

const OFFERED = 50

/** Frozen datasets and traces that a search finds; a trace without a name of its own is told by its input. */
export async function findBeginnings(way: 'trace' | 'dataset', q: string, signal: AbortSignal): Promise<Found[]> {
  const query = { q: q.slice(0, 200), limit: OFFERED }
  if (way === 'dataset') {
    const { items } = await call('listDatasets', { query }, { signal })
    return items.flatMap(({ name, latest_version: version }) =>
      version
        ? [{ value: version.id, label: `${showHidden(name)}, version ${version.version} (${formatCount(version.example_count)} cases)` }]
        : [],
    )
  }
  const { items } = await call('listTraces', { query }, { signal })
  return items.map(({ id, name, input_preview: preview }) => ({
    value: id,
    label: showHidden(preview ? `${name}: ${preview.slice(0, 80)}` : name),
  }))
}

export interface Begun {
  readonly cases: NewTuneCase[]
  /** Of the call in a trace; null where none is known. */
  readonly systemPrompt: string | null
}

/** The cases of a trace or a dataset version, with their origins. Those of a run are read by the service. */
export async function beginFrom(way: 'trace' | 'dataset', source: string): Promise<Begun> {
  if (way === 'trace') return fromTrace(source)
  const examples = await everyPage(cursor =>
    call('listCalibrationExamples', { params: { dataset_version_id: source }, query: { cursor, limit: 100 } }),
  )
  return { cases: examples.flatMap(fromExample), systemPrompt: null }
}

async function fromTrace(trace_id: string): Promise<Begun> {
  const { spans } = await call('getTrace', { params: { trace_id } })
  const found = callSpan(spans)
  // A large trace is read span by span.
  const [span = found] = found?.content_omitted
    ? (await call('getTrace', { params: { trace_id }, query: { span_id: found.span_id } })).spans
    : []
  const { input, systemPrompt } = tracedCall(span)
  return { cases: input === null ? [] : [toCase(input, null, 'trace', trace_id)], systemPrompt }
}

function toCase(input: string, expected: NewTuneCase['expected'], kind: 'trace' | 'example', ref: string): NewTuneCase {
  return { input, expected, metadata: {}, cluster: null, origin: { kind, ref } }
}

function fromExample({ example_id: id, input, expected }: FrozenExample): NewTuneCase[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return [toCase(text, expectedOf(expected), 'example', id)]
}

function expectedOf(expected: unknown): NewTuneCase['expected'] {
  if (expected === null || expected === undefined) return null
  if (typeof expected === 'string') return expected
  if (Array.isArray(expected) && expected.length > 0) return expected.map(each => (typeof each === 'string' ? each : JSON.stringify(each)))
  return Array.isArray(expected) ? null : JSON.stringify(expected)
}
