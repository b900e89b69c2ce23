import { type BasicType, ByteWriter, ParquetWriter, type SchemaElement, schemaFromColumnData } from 'hyparquet-writer'
import type { Results } from '../../../contract/runs/results.schemas.ts'
import { profileTitle } from '../report/page/result-names.ts'
import type { ReportSample } from '../report/report-sample.ts'
import type { Samples, WriteBytes } from './samples.ts'

const rowsPerGroup = 2_000
/** UTF-16 code units of text after which a group ends early: it is held whole, and an agent's transcript alone may have a megabyte. */
const textPerGroup = 8_000_000

interface Column {
  readonly name: string
  readonly type: BasicType
  readonly cell: (sample: ReportSample) => unknown
}

/** One row for each sample, with the columns of the CSV export; texts as they are, a metric's value as a number. */
export async function renderRunParquet(results: Results, samples: Samples, write: WriteBytes): Promise<void> {
  const columns = columnsOf(results)
  const emptyGroup = () => columns.map(({ name, type }) => ({ name, type, nullable: true, data: new Array<unknown>() }))
  const writer = new ByteWriter()
  const schema: SchemaElement[] = schemaFromColumnData({ columnData: emptyGroup() })
  const kvMetadata = [
    {
      key: 'assay.results',
      value: JSON.stringify({ run_id: results.run_id, result_version: results.result_version, metrics: results.metrics }),
    },
  ]
  const parquet = new ParquetWriter({ writer, schema, kvMetadata, createdBy: `Assay ${results.reproducibility.app_version}` })
  const passOn = async () => {
    await write(new Uint8Array(writer.getBytes()))
    writer.index = 0
  }
  let group = emptyGroup()
  let rows = 0
  let text = 0
  const writeGroup = async () => {
    if (rows === 0) return
    await parquet.write({ columnData: group, rowGroupSize: rows })
    group = emptyGroup()
    rows = 0
    text = 0
    await passOn()
  }
  for await (const sample of samples()) {
    for (const [index, { cell }] of columns.entries()) {
      const value = cell(sample) ?? null
      group[index]?.data.push(value)
      if (typeof value === 'string') text += value.length
    }
    rows++
    if (rows === rowsPerGroup || text > textPerGroup) await writeGroup()
  }
  await writeGroup()
  await parquet.finish()
  await passOn()
}

function columnsOf(results: Results): Column[] {
  const text = (name: string, cell: Column['cell']): Column => ({ name, type: 'STRING', cell: sample => wellFormed(cell(sample)) })
  const whole = (name: string, cell: Column['cell']): Column => ({ name, type: 'INT32', cell })
  const metrics = [...new Set(results.reproducibility.profiles.flatMap(profile => profile.metrics.map(({ id }) => id)))]
  const scoreOf = (sample: ReportSample, metric: string) => sample.score_details.find(score => score.metric === metric)
  return [
    whole('position', sample => sample.position),
    text('sample_id', sample => sample.id),
    text('profile_id', sample => sample.profile_id),
    text('profile', sample => profileTitle(results, sample.profile_id)),
    text('task_id', sample => sample.task_id),
    whole('epoch', sample => sample.epoch),
    text('status', sample => sample.status),
    { name: 'passed', type: 'BOOLEAN', cell: sample => sample.passed },
    ...metrics.flatMap((metric): Column[] => [
      { name: `value.${metric}`, type: 'DOUBLE', cell: sample => scoreOf(sample, metric)?.value },
      text(`class.${metric}`, sample => scoreOf(sample, metric)?.class),
      text(`answer.${metric}`, sample => scoreOf(sample, metric)?.answer),
    ]),
    text('error_code', sample => sample.error?.code),
    text('error_message', sample => sample.error?.message),
    text('finish_reason', sample => sample.finish_reason),
    { name: 'latency_ms', type: 'DOUBLE', cell: sample => sample.latency_ms },
    whole('input_tokens', sample => sample.input_tokens),
    whole('output_tokens', sample => sample.output_tokens),
    whole('attempts', sample => sample.attempts),
    text('finished_at', sample => sample.finished_at),
    text('prompt', sample => JSON.stringify(sample.messages)),
    text('targets', sample => JSON.stringify(sample.targets)),
    text('output', sample => sample.output),
  ]
}

/** UTF-8 has no lone surrogates. */
function wellFormed(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}
