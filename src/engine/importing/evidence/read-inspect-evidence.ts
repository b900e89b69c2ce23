import { z } from 'zod'
import { ArchiveError } from '../../archives/archive.ts'
import { openZip } from '../../archives/read-zip.ts'
import { valueToFloat } from '../../grading/scorers/inspect-ai/value-to-float.ts'
import {
  chooseMetric,
  EvidenceError,
  type EvidenceFigure,
  type EvidenceFile,
  type EvidenceMapping,
  isNumber,
  taskName,
} from './evidence-file.ts'
import { evidenceJson, evidenceText, parseEvidence } from './evidence-text.ts'

const Metric = z.looseObject({ value: z.number().nullish() })
const Header = z.looseObject({
  status: z.string().default('started'),
  invalidated: z.boolean().nullish(),
  eval: z.looseObject({ task: z.string(), model: z.string().nullish() }),
  results: z
    .looseObject({
      total_samples: z.number().nullish(),
      completed_samples: z.number().nullish(),
      scores: z.array(z.looseObject({ name: z.string(), metrics: z.record(z.string(), Metric).nullish() })).nullish(),
    })
    .nullish(),
})
const Score = z.looseObject({ value: z.unknown() })
const Sample = z.looseObject({
  id: z.union([z.string(), z.number()]),
  input: z.union([z.string(), z.array(z.looseObject({ role: z.string().nullish(), content: z.unknown() }))]).nullish(),
  epoch: z.int().min(1).default(1),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  scores: z.record(z.string(), Score.nullable()).nullish(),
  score: Score.nullish(),
  error: z.unknown().optional(),
  invalidation: z.unknown().optional(),
})
type Header = z.infer<typeof Header>
type Sample = z.infer<typeof Sample>

interface InspectLog {
  readonly header: Header
  readonly samples: readonly { readonly place: string; readonly sample: Sample }[]
}

/** A log of Inspect, `.eval` or JSON: samples are tasks, scorers are metrics. @throws EvidenceError */
export function readInspectEvidence(bytes: Buffer, { taskField, valueField }: EvidenceMapping): EvidenceFile {
  const { header, samples } = /^(?:\xef\xbb\xbf)?\s*[{[]/.test(bytes.toString('latin1', 0, 64)) ? fromJson(bytes) : fromArchive(bytes)
  const read = samples.map(({ place, sample }) => ({
    task: taskOf(sample, taskField, place),
    isPlace: taskField === undefined && isNumber(String(sample.id)),
    texts: inputOf(sample),
    values: sample.error == null && sample.invalidation == null ? valuesOf(sample) : new Map<string, number | null>(),
  }))
  const named = new Set(read.flatMap(({ values }) => [...values.keys()]))
  const stated = (header.results?.scores ?? []).map(({ name }) => name)
  const order = [...stated.filter(name => named.has(name)), ...[...named].filter(name => !stated.includes(name))]
  const metric = samples.length > 0 && (order.length > 0 || valueField !== undefined) ? chooseMetric(order, valueField, 'score') : null
  const failed = samples.filter(({ sample }) => sample.error != null).length
  const total = header.results?.total_samples ?? null
  const label = header.eval.model?.slice(0, 200) ?? null
  const invalid = samples.filter(({ sample }) => sample.invalidation != null).length
  return {
    rows:
      metric === null ? [] : read.map(({ values, ...row }) => ({ line: null, ...row, label, metric, value: values.get(metric) ?? null })),
    figures: figuresOf(header, label),
    blocked: blockedBy(header),
    cautions: [
      ...(order.length > 1 ? [`The log has ${order.length} scores; "${metric ?? ''}" is used. Set value_field to use another.`] : []),
      ...(samples.length > 0 && metric === null ? ['No sample of the log has a score.'] : []),
      ...(total !== null && samples.length > 0 && total !== samples.length
        ? [`The log states ${count(total, 'sample')}, and ${samples.length} were read.`]
        : []),
      ...(failed > 0 ? [`${count(failed, 'sample')} ended in an error and ${failed === 1 ? 'is' : 'are'} unscored.`] : []),
      ...(invalid > 0
        ? [`${count(invalid, 'sample')} ${invalid === 1 ? 'was' : 'were'} invalidated and ${invalid === 1 ? 'is' : 'are'} unscored.`]
        : []),
    ],
  }
}

function fromJson(bytes: Buffer): InspectLog {
  const value = evidenceJson(evidenceText(bytes))
  const header = parseEvidence(Header.extend({ samples: z.array(z.unknown()).nullish() }), value, 'a log of Inspect')
  const samples = (header.samples ?? []).map((sample, i) => {
    const place = `samples[${i}]`
    return { place, sample: parseEvidence(Sample, sample, `a sample of Inspect (${place})`) }
  })
  return { header, samples }
}

function fromArchive(bytes: Buffer): InspectLog {
  try {
    const archive = openZip(bytes, 'last counts')
    const read = (entry: string): unknown => {
      try {
        return evidenceJson(evidenceText(archive.read(entry)))
      } catch (error) {
        throw error instanceof EvidenceError ? new EvidenceError(`"${entry.slice(0, 120)}": ${error.message}`) : error
      }
    }
    const headerName = ['header.json', '_journal/start.json'].find(entry => archive.names.includes(entry))
    if (headerName === undefined) throw new EvidenceError('Not a log of Inspect: the archive has no header.json.')
    const header = parseEvidence(Header, read(headerName), `a log of Inspect ("${headerName}")`)
    const entries = archive.names.filter(entry => /^samples\/(?:.+_epoch_\d+(?:\/sample)?|[^/]+)\.json$/.test(entry)).sort()
    const samples = entries.map(place => ({ place, sample: parseEvidence(Sample, read(place), `a sample of Inspect ("${place}")`) }))
    return { header, samples }
  } catch (error) {
    throw error instanceof ArchiveError ? new EvidenceError(error.message) : error
  }
}

function taskOf(sample: Sample, field: string | undefined, place: string): string {
  const value = field === undefined || field === 'id' ? sample.id : sample.metadata?.[field]
  if (typeof value === 'string' || typeof value === 'number') return taskName(String(value), null)
  throw new EvidenceError(`${place}: the metadata field "${(field ?? 'id').slice(0, 60)}" that names the task is not text or a number.`)
}

/** The question as text: of a conversation, what its user says last. */
function inputOf({ input }: Sample): string[] {
  if (typeof input === 'string') return [input]
  const content = input?.findLast(({ role }) => role === 'user')?.content
  if (typeof content === 'string') return [content]
  const parts = z.array(z.looseObject({ text: z.string().optional() })).safeParse(content)
  return parts.success ? parts.data.flatMap(({ text }) => (text === undefined ? [] : [text])) : []
}

/** Values by their scorers; a scorer of several values gives `scorer/key`. Null: unscored, as NaN is. */
function valuesOf({ scores, score }: Sample): Map<string, number | null> {
  const values = new Map<string, number | null>()
  for (const [name, scored] of Object.entries(scores ?? (score ? { score } : {}))) {
    const value = scored?.value
    if (Array.isArray(value)) continue
    if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) values.set(`${name}/${key}`, part === null ? null : valueToFloat(part))
    else values.set(name, value === null || value === undefined ? null : valueToFloat(value))
  }
  return values
}

function figuresOf({ results }: Header, label: string | null): EvidenceFigure[] {
  return (results?.scores ?? []).flatMap(({ name, metrics }) => {
    const { stderr, ...others } = metrics ?? {}
    return Object.entries(others).flatMap(([metric, { value }]) =>
      value == null
        ? []
        : [
            {
              name: `${name}/${metric}`,
              group: null,
              label,
              value,
              standardError: stderr?.value ?? null,
              n: results?.completed_samples ?? null,
            },
          ],
    )
  })
}

function blockedBy({ status, invalidated }: Header): string | null {
  if (invalidated === true) return 'The log was invalidated.'
  if (status === 'success') return null
  return status === 'started' ? 'The evaluation of the log did not end.' : `The log has the status "${status.slice(0, 40)}".`
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}
