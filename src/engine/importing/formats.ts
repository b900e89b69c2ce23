import type { FormatsAs } from '../../contract/catalog/file-formats.ts'
import type { DatasetRules } from '../content/datasets/check-example.ts'
import type { ImportedExample } from './datasets/example-row.ts'
import { inspectExample, openAiEvalsExample, promptfooRow, promptfooTest } from './datasets/foreign-example.ts'
import { yamlTests } from './datasets/promptfoo-examples.ts'
import { openOpenAiEvals } from './files/foreign/openai-evals.ts'
import { openPromptfoo, openPromptfooTable } from './files/foreign/promptfoo-config.ts'
import type { MediaSetting, OpenedOrder, OrderedFile, OwnOrder } from './files/import-order.ts'
import type { RowFormat } from './files/import-source.ts'
import { openLmEvalTask } from './files/lm-eval/open-task.ts'
import { unpackTaskFolder } from './files/lm-eval/task-folder.ts'
import { notedBy, openInspect, openTable, rowFormats } from './files/open-table.ts'
import type { Row, RowOrProblem } from './files/row.ts'

/** How files of a format become a benchmark. @throws OrderFault where what they say of themselves cannot be done */
interface BenchmarkReader {
  /** The files of a folder or archive that belong to it, where it does not take them as they come. @throws OrderFault */
  unpack?(files: readonly OrderedFile[]): Promise<{ readonly files: readonly OrderedFile[]; readonly warnings: readonly string[] }>
  open(own: OwnOrder, files: readonly OrderedFile[], media: MediaSetting): OpenedOrder
}

/** How a file of a format becomes examples of a dataset. */
interface ExamplesReader {
  readonly examples: {
    /** @throws OrderFault, FileError */
    readonly rows: RowFormat | ((file: Pick<OrderedFile, 'name' | 'path'>) => Iterable<RowOrProblem>)
    /** Absent where a mapping names the columns; throws RowError. @param said told how the row is read where that is not plain */
    readonly read?: (row: Row, rules: DatasetRules, said: (warning: string) => void) => ImportedExample
  }
}

type FormatReader<Format> = (Format extends FormatsAs<'benchmark'> ? BenchmarkReader : unknown) &
  (Format extends FormatsAs<'examples'> ? ExamplesReader : unknown)

/** The readers of every format in `contract/catalog/file-formats.ts`. */
export const formatReaders: { readonly [Format in FormatsAs<'benchmark' | 'examples'>]: FormatReader<Format> } = {
  jsonl: table('jsonl'),
  json: table('json'),
  csv: table('csv'),
  parquet: table('parquet'),
  inspect_jsonl: {
    open: openInspect,
    examples: { rows: { kind: 'any', upstream: { kind: 'jsonl' } }, read: inspectExample },
  },
  openai_evals_jsonl: {
    open: (own, files, media) => ({
      ...openOpenAiEvals(own, files, media.intake),
      media: media.intake,
      noted: () => notedBy(media),
    }),
    examples: { rows: { kind: 'jsonl' }, read: openAiEvalsExample },
  },
  promptfoo_csv: { open: openPromptfooTable, examples: { rows: { kind: 'csv' }, read: promptfooRow } },
  promptfoo_yaml: {
    open: (own, files, { intake }) => openPromptfoo(own, files, intake),
    examples: { rows: yamlTests, read: promptfooTest },
  },
  lm_eval_yaml: {
    unpack: unpackTaskFolder,
    open: (own, files, { intake }) => {
      const order = openLmEvalTask(own, files, intake)
      return { ...order, media: intake, noted: () => [...intake.warnings(), ...(order.noted?.() ?? [])] }
    },
  },
}

function table(format: keyof typeof rowFormats): BenchmarkReader & ExamplesReader {
  return {
    open: (own, files, media) => openTable(format, own, files, media),
    examples: { rows: rowFormats[format] },
  }
}
