import type { Results } from '../../../contract/runs/results.schemas.ts'
import { promptText } from '../../../contract/messages/message-text.ts'
import { benchmarkTitle } from '../../../lib/format/benchmark-names.ts'
import { type CsvCell, csvRow } from '../../../lib/csv.ts'
import { bufferedWriter } from './buffered-writer.ts'
import { profileTitle } from './page/result-names.ts'
import { byPosition, type ReportSample, type Write } from './report-sample.ts'

const columnsBefore = [
  'row',
  'position',
  'sample_id',
  'model',
  'benchmark',
  'profile_id',
  'profile',
  'task_id',
  'epoch',
  'status',
  'passed',
] as const
const columnsAfter = [
  'error_code',
  'error_message',
  'finish_reason',
  'latency_ms',
  'input_tokens',
  'output_tokens',
  'attempts',
  'finished_at',
  'question',
  'targets',
  'output',
] as const

/**
 * A row per sample, with its number as lists show it, `row`, and as the API counts it, `position`; three columns per metric: `value.<metric>` in [0, 1], `class.<metric>` and `answer.<metric>`, are
 * empty where a sample's profile does not have the metric. `targets` is a JSON list, because a task can have several.
 */
export async function renderRunCsv(results: Results, samples: AsyncIterable<ReportSample>, write: Write): Promise<void> {
  const out = bufferedWriter(write)
  const metrics = metricIds(results)
  const metricColumns = metrics.flatMap(metric => [`value.${metric}`, `class.${metric}`, `answer.${metric}`])
  await out.write(csvRow([...columnsBefore, ...metricColumns, ...columnsAfter]))
  for await (const sample of byPosition(samples)) {
    await out.write(
      csvRow([...cellsBefore(sample, results), ...metrics.flatMap(metric => metricCells(sample, metric)), ...cellsAfter(sample)]),
    )
  }
  await out.flush()
}

function metricIds({ reproducibility }: Results): string[] {
  return [...new Set(reproducibility.profiles.flatMap(profile => profile.metrics.map(metric => metric.id)))]
}

function cellsBefore(sample: ReportSample, results: Results): CsvCell[] {
  const { position, id, profile_id: profile, task_id: task, epoch, status, passed } = sample
  const { model, profiles } = results.reproducibility
  const frozen = profiles.find(one => one.profile_id === profile)
  const benchmark = frozen ? benchmarkTitle(frozen) : null
  return [position + 1, position, id, model.title, benchmark, profile, profileTitle(results, profile), task, epoch, status, passed]
}

function metricCells(sample: ReportSample, metric: string): CsvCell[] {
  const score = sample.score_details.find(one => one.metric === metric)
  return score === undefined ? [null, null, null] : [score.value, score.class, score.answer]
}

function cellsAfter(sample: ReportSample): CsvCell[] {
  return [
    sample.error?.code ?? null,
    sample.error?.message ?? null,
    sample.finish_reason,
    sample.latency_ms,
    sample.input_tokens,
    sample.output_tokens,
    sample.attempts,
    sample.finished_at,
    promptText(sample.messages),
    JSON.stringify(sample.targets),
    sample.output,
  ]
}
