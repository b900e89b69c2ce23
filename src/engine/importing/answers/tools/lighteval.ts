import { Readable } from 'node:stream'
import { z } from 'zod'
import { importLimits } from '../../files/limits.ts'
import { readParquet } from '../../files/read-parquet.ts'
import { type ForeignLog, leftOut, LogError, parseLogJson } from '../foreign-log.ts'
import type { LogFile } from '../log-files.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow } from './recorded-rows.ts'

const Row = z.looseObject({
  doc: z.looseObject({
    query: z.string(),
    id: z.union([z.string(), z.number()]).transform(String),
    choices: z.array(z.string()).nullish(),
    gold_index: z.union([z.int().transform(one => [one]), z.array(z.int())]).nullish(),
  }),
  metric: z.record(z.string(), z.union([z.number(), z.boolean(), z.null()]).catch(null)),
  model_response: z.looseObject({ text: z.array(z.string()).nullish(), logprobs: z.array(z.number()).nullish().catch(null) }),
})
const Results = z.looseObject({ config_general: z.looseObject({ model_name: z.string() }) })

/** `details_<task>_<date>.parquet`: documents, answers and the metrics of each; of the model its results file or its folder tells. */
export const lighteval: ToolReader = {
  tool: 'lighteval',
  uses: ({ name, head }) => name.endsWith('.json') && /"config_general"\s*:/.test(head),
  matches: ({ name, head }) => name.startsWith('details_') && name.endsWith('.parquet') && head.startsWith('PAR1'),
  read: async files => {
    const results = files.flatMap(file =>
      /\.json$/i.test(file.name) ? (Results.safeParse(parseLogJson(file.bytes.toString('utf8'), file.name)).data ?? []) : [],
    )
    const logs: ForeignLog[] = []
    for (const file of files.filter(({ name }) => /^details_.*\.parquet$/i.test(name)))
      logs.push(await readDetails(file, modelOf(file, results)))
    return logs
  },
}

function modelOf({ folder }: LogFile, results: readonly z.infer<typeof Results>[]): string {
  // details/<organization>/<model>/<date>/
  const parts = folder.split('/').filter(part => part !== '' && part !== 'details' && !/^\d{4}-\d\d-\d\dT/.test(part))
  return results[0]?.config_general.model_name ?? (parts.length > 0 ? parts.slice(-2).join('/') : 'unknown model')
}

async function readDetails({ name, bytes }: LogFile, model: string): Promise<ForeignLog> {
  const rows: RecordedRow[] = []
  const faults: LogError[] = []
  let left = 0
  for await (const row of readParquet(Readable.from([bytes]), importLimits)) {
    if (row.kind !== 'row') {
      faults.push(new LogError(`"${name}": ${row.message}`))
      continue
    }
    const parsed = Row.safeParse(row.value)
    if (!parsed.success) {
      const columns = Object.keys(row.value).slice(0, 10).join(', ')
      faults.push(
        new LogError(
          `"${name}", row ${row.line}: send details of lighteval 0.11 or later, with the columns "doc", "metric" and "model_response"; there are ${columns}.`,
        ),
      )
      continue
    }
    const { doc, metric, model_response: response } = parsed.data
    const choices = doc.choices ?? []
    const outputs = outputsOf(response, choices)
    if (outputs.length === 0) left++
    const scores = Object.fromEntries(
      Object.entries(metric).flatMap(([key, value]) => (value === null ? [] : [[key, Number(value)] as const])),
    )
    const targets = (doc.gold_index ?? []).flatMap(index => choices[index]?.trim() ?? [])
    for (const [i, output] of outputs.entries()) rows.push({ id: doc.id, input: doc.query, targets, model, epoch: i + 1, output, scores })
  }
  if (rows.length === 0 && faults[0]) throw faults[0]
  const date = /_\d{4}-\d\d-\d\dT/.exec(name)
  const task = name.slice('details_'.length, date?.index ?? -'.parquet'.length)
  return recordedLog('lighteval', task, rows, [
    ...leftOut(faults),
    ...(left === 0 ? [] : [`${left} documents have no answer in the details and were left out.`]),
  ])
}

/** What was answered, or the choice that was likeliest. */
function outputsOf({ text, logprobs }: z.infer<typeof Row>['model_response'], choices: readonly string[]): readonly string[] {
  if (text && text.length > 0) return text
  if (!logprobs || logprobs.length === 0 || logprobs.length !== choices.length) return []
  return [choices[logprobs.indexOf(Math.max(...logprobs))]?.trim() ?? '']
}
