import { z } from 'zod'
import {
  chooseMetric,
  EvidenceError,
  type EvidenceFigure,
  type EvidenceFile,
  type EvidenceMapping,
  isNumber,
  taskName,
  textsOf,
} from './evidence-file.ts'
import { unnamedFilters } from '../answers/lm-eval-filters.ts'
import { evidenceJson, evidenceText, parseEvidence } from './evidence-text.ts'

const Results = z.looseObject({
  results: z.record(z.string(), z.record(z.string(), z.unknown())),
  'n-samples': z.record(z.string(), z.looseObject({ effective: z.number().nullish() })).nullish(),
})
const Row = z.looseObject({
  doc_id: z.union([z.int(), z.string()]),
  doc: z.record(z.string(), z.unknown()).nullish(),
  filter: z.string().optional(),
  resps: z.unknown().optional(),
  filtered_resps: z.unknown().optional(),
  metrics: z.array(z.string()).nullish(),
})

/** Results or samples of lm-evaluation-harness: results give figures alone, samples a value for each document. @throws EvidenceError */
export function readLmEvalEvidence(bytes: Buffer, mapping: EvidenceMapping): EvidenceFile {
  const text = evidenceText(bytes)
  return isSample(text.trimStart().split('\n', 1)[0] ?? '') ? readSamples(text, mapping) : readResults(text)
}

/** Samples are one object in each line; results are one object over many lines, or one line without a document. */
function isSample(firstLine: string): boolean {
  try {
    const value = evidenceJson(firstLine)
    return typeof value === 'object' && value !== null && 'doc_id' in value
  } catch {
    return firstLine.includes('"doc_id"')
  }
}

function readResults(text: string): EvidenceFile {
  const { results, ...rest } = parseEvidence(Results, evidenceJson(text), 'results of lm-evaluation-harness')
  const figures = Object.entries(results).flatMap(([task, metrics]): EvidenceFigure[] =>
    Object.entries(metrics).flatMap(([key, value]) => {
      if (typeof value !== 'number' || isError(key) || ['sample_len', 'sample_count'].includes(key)) return []
      const error = metrics[errorKey(key)]
      const [metric = key, filter = 'none'] = key.split(',')
      return [
        {
          name: filter === 'none' ? metric : `${metric},${filter}`,
          group: task,
          label: null,
          value,
          standardError: typeof error === 'number' ? error : null,
          n: rest['n-samples']?.[task]?.effective ?? null,
        },
      ]
    }),
  )
  if (figures.length === 0) throw new EvidenceError('The results have no metric.')
  return { rows: [], figures, blocked: null, cautions: [] }
}

/** `acc_stderr` in older files, `acc_stderr,none` in newer ones. */
function errorKey(key: string): string {
  const comma = key.indexOf(',')
  return comma < 0 ? `${key}_stderr` : `${key.slice(0, comma)}_stderr${key.slice(comma)}`
}

function isError(key: string): boolean {
  return /_stderr(?:,|$)/.test(key)
}

function readSamples(text: string, { taskField, valueField }: EvidenceMapping): EvidenceFile {
  const given = text.split('\n').flatMap((content, i) => {
    if (content.trim() === '') return []
    const line = i + 1
    const row = parseEvidence(Row, evidenceJson(content, line), 'a sample of lm-evaluation-harness', line)
    const id = taskField === undefined || taskField === 'doc_id' ? row.doc_id : row.doc?.[taskField]
    if (typeof id !== 'string' && typeof id !== 'number')
      throw new EvidenceError(`The document has no field "${(taskField ?? '').slice(0, 60)}" that names the task.`, line)
    const task = taskName(String(id), line)
    return [{ line, row, task, isPlace: taskField === undefined && isNumber(task), texts: textsOf(row.doc) }]
  })
  const read = withFilters(given)
  const nameOf = (metric: string, filter: string): string => (filter === 'none' ? metric : `${metric},${filter}`)
  const names = [...new Set(read.flatMap(({ row, filter }) => metricsOf(row).map(metric => nameOf(metric, filter))))]
  const metric = chooseMetric(names, valueField, 'metric')
  const rows = read.flatMap(({ row, filter, ...named }) =>
    metricsOf(row)
      .filter(name => nameOf(name, filter) === metric)
      .map(name => {
        const value = row[name]
        return {
          ...named,
          label: null,
          metric,
          value: typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : null,
        }
      }),
  )
  return {
    rows,
    figures: [],
    blocked: null,
    cautions: names.length > 1 ? [`The file has ${names.length} metrics; "${metric}" is used. Set value_field to use another.`] : [],
  }
}

/** Releases before 0.4.4 write a document once for each filter, without its name. */
function withFilters<Given extends { readonly row: z.infer<typeof Row> }>(
  given: readonly Given[],
): (Given & { readonly filter: string })[] {
  const documents = [...Map.groupBy(given, ({ row }) => row.doc_id).values()]
  const isNamed = given.some(({ row }) => row.filter !== undefined || row.resps === undefined)
  const made = (row: z.infer<typeof Row>) => [row.filtered_resps, ...metricsOf(row).map(name => row[name])]
  const names = isNamed ? [] : unnamedFilters(documents.map(of => of.map(({ row }) => ({ answers: row.resps, made: made(row) }))))
  const places = new Map(documents.flatMap(of => of.map((one, i) => [one, i] as const)))
  return given.map(one => ({ ...one, filter: one.row.filter ?? names[places.get(one) ?? 0] ?? 'none' }))
}

function metricsOf(row: z.infer<typeof Row>): readonly string[] {
  return row.metrics ?? Object.keys(row).filter(key => key !== 'doc_id' && typeof row[key] === 'number')
}
