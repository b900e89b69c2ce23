import { queryOptions } from '@tanstack/react-query'
import { contentText, type FrozenExample, type NewTuneCase, type SampleDetail } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { everyPage } from '../api/pages.ts'
import { callSpan, tracedCall } from './traced-call.ts'

export interface Beginning {
  readonly value: string
  readonly label: string
  /** Null where it is not known. */
  readonly count: number | null
}
type Way = 'code' | 'trace' | 'dataset' | 'run'

/** Cases that are copied from a run: each is read by itself. */
const mostSamples = 200

export const beginningsQuery = (way: Way) =>
  queryOptions({
    queryKey: ['tuning', 'beginnings', way],
    enabled: way !== 'code',
    queryFn: async ({ signal }): Promise<Beginning[]> => {
      if (way === 'dataset') {
        const all = await everyPage(cursor => call('listDatasets', { query: { cursor, limit: 100 } }, { signal }))
        return all.flatMap(({ name, latest_version: version }) =>
          version ? [{ value: version.id, label: `${name}, version ${version.version}`, count: version.example_count }] : [],
        )
      }
      if (way === 'trace') {
        const { items } = await call('listTraces', { query: { limit: 100 } }, { signal })
        return items.map(({ id, name, input_preview: preview }) => ({
          value: id,
          label: preview ? `${name}: ${preview.slice(0, 80)}` : name,
          count: null,
        }))
      }
      const { items } = await call('listRuns', { query: { limit: 100 } }, { signal })
      return items
        .filter(({ result_version }) => result_version !== null)
        .map(({ id, name, progress }) => ({ value: id, label: name, count: Math.min(mostSamples, progress.scored) }))
    },
  })

export interface Begun {
  readonly cases: NewTuneCase[]
  /** Of the call in a trace; null where none is known. */
  readonly systemPrompt: string | null
}

/** The cases of a trace, a dataset version or a run, with their origins. */
export async function beginFrom(way: Exclude<Way, 'code'>, source: string): Promise<Begun> {
  if (way === 'trace') return fromTrace(source)
  if (way === 'dataset') {
    const examples = await everyPage(cursor =>
      call('listCalibrationExamples', { params: { dataset_version_id: source }, query: { cursor, limit: 100 } }),
    )
    return { cases: examples.flatMap(fromExample), systemPrompt: null }
  }
  const ids = await sampleIds(source)
  const details = await Promise.all(ids.map(id => call('getSample', { params: { run_id: source, sample_id: id } })))
  return { cases: details.flatMap(fromSample), systemPrompt: null }
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

/** The first samples of a run, page by page. */
async function sampleIds(run_id: string): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { items, next_cursor: next } = await call('listSamples', { params: { run_id }, query: { cursor, limit: 100 } })
    ids.push(...items.map(({ id }) => id))
    cursor = next ?? undefined
  } while (cursor !== undefined && ids.length < mostSamples)
  return ids.slice(0, mostSamples)
}

function toCase(input: string, expected: NewTuneCase['expected'], kind: 'trace' | 'example' | 'sample', ref: string): NewTuneCase {
  return { input, expected, metadata: {}, cluster: null, origin: { kind, ref } }
}

function fromExample({ example_id: id, input, expected }: FrozenExample): NewTuneCase[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return [toCase(text, expectedOf(expected), 'example', id)]
}

function fromSample({ id, messages, targets }: SampleDetail): NewTuneCase[] {
  const question = messages.findLast(({ role }) => role === 'user')
  return question ? [toCase(contentText(question.content), expectedOf(targets), 'sample', id)] : []
}

function expectedOf(expected: unknown): NewTuneCase['expected'] {
  if (expected === null || expected === undefined) return null
  if (typeof expected === 'string') return expected
  if (Array.isArray(expected) && expected.length > 0) return expected.map(each => (typeof each === 'string' ? each : JSON.stringify(each)))
  return Array.isArray(expected) ? null : JSON.stringify(expected)
}
