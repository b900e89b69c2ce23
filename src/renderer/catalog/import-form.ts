import type { ColumnMapping, ImportForm } from '../../contract/index.ts'

export type ImportFormat = NonNullable<ImportForm['format']>
export type ImportFields = Omit<ImportForm, 'dry_run' | 'fetch'> & Partial<Pick<ImportForm, 'fetch'>>

export const formatWords: Readonly<Record<ImportFormat, string>> = {
  jsonl: 'JSON Lines (.jsonl)',
  json: 'JSON (.json)',
  csv: 'CSV (.csv)',
  parquet: 'Parquet (.parquet)',
  inspect_jsonl: 'Inspect dataset (.jsonl)',
  openai_evals_jsonl: 'OpenAI evals samples (.jsonl)',
  promptfoo_csv: 'promptfoo tests (.csv)',
  promptfoo_yaml: 'promptfoo configuration (.yaml)',
  lm_eval_yaml: 'lm-evaluation-harness task (.yaml) with its data',
}

/** What can be mapped: every column of a plain table, the question of promptfoo’s variables, nothing where the fields are known. */
export function mappableFields(format: ImportFormat): readonly MappingField[] {
  if (format === 'promptfoo_csv') return ['input']
  return isPlain(format) ? mappingFields.map(({ field }) => field) : []
}

function isPlain(format: ImportFormat): boolean {
  return format === 'jsonl' || format === 'json' || format === 'csv' || format === 'parquet'
}

/** Whether the settings of a format name other files, which are sent with them. */
export function takesSeveral(format: ImportFormat | null): boolean {
  return format === 'lm_eval_yaml' || format === 'promptfoo_yaml'
}

/** Format of a file by its name; null where the name does not tell. The service reads the content and has the last word. */
export function formatOf(fileName: string): ImportFormat | null {
  const ending = /\.(jsonl|ndjson|json|csv|parquet)(\.gz)?$/i.exec(fileName)?.[1]?.toLowerCase()
  if (ending === 'ndjson') return 'jsonl'
  return ending === 'jsonl' || ending === 'json' || ending === 'csv' || ending === 'parquet' ? ending : null
}

export function isSettings({ name }: File): boolean {
  return /\.ya?ml$/i.test(name)
}

/** Format of a file by its name, and of YAML by its first words; null where neither tells. */
export async function recognise(file: File): Promise<ImportFormat | null> {
  if (!isSettings(file)) return formatOf(file.name)
  const head = await file.slice(0, 16_384).text()
  if (/^(?:doc_to_text|doc_to_target|output_type|dataset_path|metric_list|include):/m.test(head)) return 'lm_eval_yaml'
  return /^(?:prompts|tests|providers|targets|defaultTest):|^- +(?:vars|description|assert):/m.test(head) ? 'promptfoo_yaml' : null
}

export type MappingField = keyof ColumnMapping
export type Mapping = Readonly<Partial<Record<MappingField, string>>>

export const mappingFields: readonly {
  readonly field: MappingField
  readonly label: string
  readonly help: string
  readonly required: boolean
}[] = [
  { field: 'input', label: 'Question', help: 'What the model is asked.', required: true },
  { field: 'target', label: 'Reference answer', help: 'One answer, or a list of accepted ones.', required: false },
  { field: 'choices', label: 'Answer choices', help: 'A list, for multiple choice.', required: false },
  { field: 'id', label: 'Task id', help: 'Unique. Line numbers serve without it.', required: false },
]

const usualNames: Readonly<Record<MappingField, readonly string[]>> = {
  input: ['input', 'question', 'prompt', 'query', 'problem', 'instruction', 'text'],
  target: ['target', 'answer', 'expected', 'label', 'output', 'solution', 'reference', 'gold'],
  choices: ['choices', 'options', 'answers'],
  id: ['id', 'task_id', 'uid', 'key', 'name'],
}

/** A first guess at the mapping from the usual names of columns; each column is used once. */
export function guessMapping(columns: readonly string[]): Mapping {
  const free = new Set(columns)
  const guess: Partial<Record<MappingField, string>> = {}
  for (const { field } of mappingFields) {
    const column = usualNames[field]
      .map(name => [...free].find(candidate => candidate.toLowerCase() === name))
      .find(found => found !== undefined)
    if (column === undefined) continue
    guess[field] = column
    free.delete(column)
  }
  return guess
}

/** The mapping as it is sent; undefined while the one needed column is not chosen. */
export function completeMapping({ input, target, choices, id }: Mapping): ColumnMapping | undefined {
  if (!input) return undefined
  return { input, ...(target ? { target } : {}), ...(choices ? { choices } : {}), ...(id ? { id } : {}) }
}
