/** A format of files that people bring, as contract, service, engine and pages know it. Its reader: `engine/importing/formats.ts`. */
interface FileFormat {
  /** As a choice in a form. */
  readonly title: string
  /** What its files hold: rows by columns that a mapping names, or what another tool keeps, whose fields are known. */
  readonly holds: 'table' | 'samples' | 'tests' | 'tasks'
  /** Names of the files with that, once they are unpacked. */
  readonly files: RegExp
  /** The first words of such a file, where names do not tell formats apart. */
  readonly begins?: RegExp
  /** What it can be imported as. */
  readonly as: readonly ('benchmark' | 'examples')[]
  /** The part of a mapping that it takes: columns, or the variable with the question. */
  readonly maps: 'columns' | 'question' | null
  /** Whether several files belong together: settings with what they name, or rows with the files that they name. */
  readonly takesSeveral: boolean
  /** Whether rows may name images, audio or documents beside them. */
  readonly namesMedia: boolean
  /** Whether the files may hold several sets of tasks, or several ways to grade them, of which `task` chooses one. */
  readonly choosesTask: boolean
}

/** Every format, in the order of forms and of the interface. */
export const fileFormats = {
  jsonl: table('JSON Lines (.jsonl)', /\.(?:jsonl|ndjson)$/i),
  json: table('JSON (.json)', /\.json$/i),
  csv: table('CSV, Excel (.csv, .xlsx)', /\.(?:csv|tsv|xlsx)$/i),
  parquet: table('Parquet (.parquet)', /\.parquet$/i),
  inspect_jsonl: {
    title: 'Inspect dataset (.jsonl, .json, .csv)',
    holds: 'samples',
    files: /\.(?:jsonl|json|csv)$/i,
    as: ['benchmark', 'examples'],
    maps: null,
    takesSeveral: true,
    namesMedia: true,
    choosesTask: false,
  },
  openai_evals_jsonl: {
    title: 'OpenAI evals samples (.jsonl, with the .yaml of their registry)',
    holds: 'samples',
    files: /\.jsonl$/i,
    as: ['benchmark', 'examples'],
    maps: null,
    takesSeveral: true,
    namesMedia: true,
    choosesTask: true,
  },
  promptfoo_csv: {
    title: 'promptfoo tests (.csv)',
    holds: 'tests',
    files: /\.(?:csv|tsv)$/i,
    as: ['benchmark', 'examples'],
    maps: 'question',
    takesSeveral: false,
    namesMedia: false,
    choosesTask: false,
  },
  promptfoo_yaml: {
    title: 'promptfoo configuration (.yaml)',
    holds: 'tests',
    files: /\.ya?ml$/i,
    begins: /^(?:prompts|tests|scenarios|providers|targets|defaultTest):|^- +(?:vars|description|assert):/m,
    as: ['benchmark', 'examples'],
    maps: null,
    takesSeveral: true,
    namesMedia: false,
    choosesTask: false,
  },
  lm_eval_yaml: {
    title: 'lm-evaluation-harness tasks (.yaml, .zip)',
    holds: 'tasks',
    files: /\.ya?ml$/i,
    begins: /^(?:doc_to_text|doc_to_target|output_type|dataset_path|metric_list|include|group|aggregate_metric_list):/m,
    as: ['benchmark'],
    maps: null,
    takesSeveral: true,
    namesMedia: false,
    choosesTask: true,
  },
} as const satisfies Readonly<Record<string, FileFormat>>

type Formats = typeof fileFormats

/** Ids of the formats that can be imported as something. */
export type FormatsAs<Use extends FileFormat['as'][number]> = {
  [Id in keyof Formats]: Use extends Formats[Id]['as'][number] ? Id : never
}[keyof Formats]

/** In the order of the table. */
export function formatsAs<Use extends FileFormat['as'][number]>(use: Use): FormatsAs<Use>[] {
  const ids = Object.entries<FileFormat>(fileFormats).flatMap(([id, format]) => (format.as.includes(use) ? [id] : []))
  // Those that the condition on the types names.
  return ids as FormatsAs<Use>[]
}

/** Rows by columns, which say nothing about how they are asked and graded. */
export function isTableFormat(format: keyof Formats): boolean {
  return fileFormats[format].holds === 'table'
}

/** Whether the first words of a file are those of a format; false where names alone tell it. */
export function beginsAs(format: keyof Formats, head: string): boolean {
  const { begins }: FileFormat = fileFormats[format]
  return begins?.test(head) === true
}

function table<const Title extends string>(title: Title, files: RegExp) {
  return {
    title,
    holds: 'table',
    files,
    as: ['benchmark', 'examples'],
    maps: 'columns',
    takesSeveral: true,
    namesMedia: true,
    choosesTask: false,
  } as const satisfies FileFormat
}
