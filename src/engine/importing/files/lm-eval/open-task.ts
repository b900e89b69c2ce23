import type { Shot } from '../../../tasks/task.ts'
import { TemplateError } from '../../templates/template-error.ts'
import type { FileContent } from '../import-source.ts'
import { type OpenedOrder, type OrderedFile, sourceOf } from '../import-order.ts'
import { orderFault } from '../order-fault.ts'
import { type Row, RowError } from '../row.ts'
import { taskBenchmark } from './task-benchmark.ts'
import { readTaskConfig, type ReadTask, type TaskConfig } from './task-config.ts'
import { taskDocs } from './task-docs.ts'
import { taskMetrics } from './task-metrics.ts'

const dataFile = /\.(?:jsonl|ndjson|json|csv|tsv|parquet)(?:\.gz)?$/i

/**
 * A task of lm-evaluation-harness: its YAML files, and the data that they name, which are not fetched.
 * @throws OrderFault naming the line of what cannot be imported
 */
export function openLmEvalTask(own: { readonly title: string; readonly slug: string }, files: readonly OrderedFile[]): OpenedOrder {
  const settings = files.filter(({ name }) => !dataFile.test(name))
  const data = files.filter(({ name }) => dataFile.test(name))
  if (settings.length === 0) throw orderFault(files[0]?.name ?? '', null, 'A task needs its YAML file beside the data.')
  const read = readTaskConfig(settings)
  const { config, file } = read
  checkKind(read)
  const metrics = taskMetrics(config, file)
  const docs = docsOf(read)
  const { tested, shown } = splitsOf(read, data)
  const count = config.num_fewshot ?? 0
  const shots = { count, by: null }
  const given = (config.fewshot_config?.samples ?? []).slice(0, count)
  const sources = [
    ...(count > 0 && given.length === 0 && shown ? [sourceOf(shown, content('shots', docs))] : []),
    sourceOf(tested, content('tasks', docs)),
  ]
  return {
    sources,
    shots,
    givenShots: givenShots(read, docs, given),
    warnings: [...read.warnings, ...metrics.warnings, ...notes(config, shown !== null || given.length > 0)],
    definedByFiles: true,
    define: found => taskBenchmark(config, metrics, own, found),
  }
}

function content(holds: 'tasks' | 'shots', docs: ReturnType<typeof taskDocs>): FileContent {
  const format = { kind: 'any', upstream: { kind: 'jsonl' } } as const
  return holds === 'tasks' ? { format, holds, read: row => docs.task(row) } : { format, holds, read: row => docs.shot(row) }
}

function checkKind({ config, file }: ReadTask): void {
  const { output_type: kind, target_delimiter: delimiter } = config
  if (kind !== 'generate_until' && kind !== 'multiple_choice')
    throw orderFault(
      file.name,
      file.lineOf('output_type'),
      `"output_type" is "${kind.slice(0, 40)}"; generate_until and multiple_choice can be imported.`,
    )
  if (kind === 'multiple_choice' && delimiter !== ' ')
    throw orderFault(
      file.name,
      file.lineOf('target_delimiter'),
      'Choices are measured after a blank here; a task with choices and another "target_delimiter" cannot be imported.',
    )
}

/** Examples given in the task itself. */
function givenShots({ file }: ReadTask, docs: ReturnType<typeof taskDocs>, given: readonly Row['value'][]): Shot[] {
  return given.map((value, i) => {
    try {
      return docs.shot({ line: i + 1, position: i + 1, value })
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      throw orderFault(file.name, file.lineOf('fewshot_config'), `Example ${i + 1} of "fewshot_config": ${error.message}`)
    }
  })
}

function docsOf({ config, file }: ReadTask): ReturnType<typeof taskDocs> {
  try {
    return taskDocs(config)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const key = /^"(\w+)"/.exec(error.message)?.[1] ?? ''
    throw orderFault(file.name, file.lineOf(key), `${error.message}.`)
  }
}

/** The data files of the evaluated split and of the few-shot examples. */
function splitsOf(read: ReadTask, data: readonly OrderedFile[]): { readonly tested: OrderedFile; readonly shown: OrderedFile | null } {
  const { config, file } = read
  const asked = config.test_split ?? config.validation_split ?? null
  const fromSplit = config.fewshot_split ?? config.training_split ?? config.validation_split ?? null
  const byName = (split: string | null) => (split === null ? undefined : data.find(one => isSplit(config, one.name, split)))
  const [only] = data
  const tested =
    byName(asked) ??
    (data.length === 1 && only && !(asked !== null && byName(fromSplit) === only && fromSplit !== asked) ? only : undefined)
  if (!tested)
    throw orderFault(
      file.name,
      file.lineOf('test_split') ?? file.lineOf('validation_split'),
      data.length === 0
        ? `Send the data beside the task${asked === null ? '' : `: the split "${asked}" of "${config.dataset_path ?? 'its data set'}"`}. It is not fetched.`
        : `None of ${data.map(({ name }) => `"${name}"`).join(', ')} is named after the evaluated split "${asked ?? 'test'}".`,
    )
  const shown = byName(fromSplit) ?? null
  const unused = data.find(one => one !== tested && one !== shown)
  if (unused)
    throw orderFault(
      unused.name,
      null,
      `The task has no use for this file; it asks "${asked ?? 'test'}" and shows examples of "${fromSplit ?? 'none'}".`,
    )
  return { tested, shown: shown === tested ? null : shown }
}

/** As the task names its files, or by a word of the name, as in `test.jsonl` and `test-00000-of-00001.parquet`. */
function isSplit({ dataset_kwargs: kwargs }: TaskConfig, name: string, split: string): boolean {
  const named = kwargs?.data_files?.[split]?.some(path => path.split('/').at(-1) === name)
  return (
    named === true ||
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .includes(split.toLowerCase().split('[')[0] ?? split)
  )
}

function notes(config: TaskConfig, hasExamples: boolean): string[] {
  const count = config.num_fewshot ?? 0
  const stops = config.generation_kwargs?.until?.length ?? 0
  return [
    ...(count > 0 && !hasExamples
      ? [
          `Its ${count} worked examples are missing: send the split "${config.fewshot_split ?? config.training_split ?? 'train'}" beside the task. Without it only the zero-shot profile can be run.`,
        ]
      : []),
    ...(count > 0 && hasExamples && (config.fewshot_config?.sampler ?? 'default') !== 'first_n'
      ? ['The harness draws few-shot examples at random for each task; here they are the first of their file.']
      : []),
    ...(stops > 4 ? [`Of its ${stops} texts that end an answer the first 4 are kept.`] : []),
  ]
}
