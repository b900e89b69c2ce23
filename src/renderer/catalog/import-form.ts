import { isArchiveName, unpackedName } from '../../lib/file-name.ts'
import { beginsAs, fileFormats, formatsAs, isTableFormat } from '../../contract/catalog/file-formats.ts'
import type { ColumnMapping, ImportForm } from '../../contract/catalog/imports.schemas.ts'

export type ImportFormat = NonNullable<ImportForm['format']>
export type ImportFields = Omit<ImportForm, 'dry_run' | 'fetch' | 'leave_out'> & Partial<Pick<ImportForm, 'fetch' | 'leave_out'>>

/** The formats of a benchmark's files as choices of a form. */
export const formatOptions = formatsAs('benchmark').map(value => ({ value, label: fileFormats[value].title }))

/** What can be mapped: every column of a plain table, the question of promptfoo’s variables, nothing where the fields are known. */
export function mappableFields(format: ImportFormat): readonly MappingField[] {
  const { maps } = fileFormats[format]
  if (maps === 'question') return ['input']
  return maps === 'columns' ? [...singleFields.map(({ field }) => field), 'choices', 'groups', 'media'] : []
}

/** Whether the settings or rows of a format name other files, which are sent with them. */
export function takesSeveral(format: ImportFormat | null): boolean {
  return format !== null && fileFormats[format].takesSeveral
}

/** Format of a table by its name; null where the name does not tell. The service reads the content and has the last word. */
export function formatOf(fileName: string): ImportFormat | null {
  return formatsAs('benchmark').find(format => isTableFormat(format) && fileFormats[format].files.test(unpackedName(fileName))) ?? null
}

export function isSettings({ name }: File): boolean {
  return /\.ya?ml$/i.test(name)
}

/** The file that says how the others are read. */
export function mainFile(files: readonly File[]): File | null {
  return files.find(isSettings) ?? files.find(isTable) ?? files[0] ?? null
}

/** Whether the name is that of a file of rows. */
export function isTable({ name }: File): boolean {
  return formatOf(name) !== null
}

/** Tasks of lm-evaluation-harness, and tables with the files that their rows name, come in archives. */
export function isArchive({ name }: File): boolean {
  return isArchiveName(name)
}

/** Format of a file by its name, and of YAML by its first words; null where neither tells. */
export async function recognize(file: File): Promise<ImportFormat | null> {
  if (isArchive(file))
    return (await tableInside(file)) ?? formatsAs('benchmark').find(format => fileFormats[format].holds === 'tasks') ?? null
  if (!isSettings(file)) return formatOf(file.name)
  const head = await file.slice(0, 16_384).text()
  return formatsAs('benchmark').findLast(format => beginsAs(format, head)) ?? null
}

/** Format of the one table that a zip archive lists at its end; null where it holds settings, several tables or none. */
async function tableInside(file: File): Promise<ImportFormat | null> {
  const directory = await file.slice(-1_048_576).text()
  const names = directory.match(/[^\0-\x1f\\:*?"<>|]{0,120}\.(?:jsonl|ndjson|json|csv|tsv|xlsx|parquet|ya?ml)(?![\w.])/gi) ?? []
  if (names.some(name => /\.ya?ml$/i.test(name))) return null
  const formats = new Set(names.map(formatOf))
  const [format = null] = formats
  return formats.size === 1 ? format : null
}

export type AnswerKeyForm = NonNullable<ColumnMapping['answer_key']>
/** What the reader chose; absent: as the service reads the file, null: there is no such column. */
export type Mapping = Readonly<ColumnMapping>

/** Parts of a mapping that are one column each. */
export const singleFields = [
  { field: 'input', label: 'Question', help: 'The model’s input', required: true },
  { field: 'target', label: 'Reference answer', help: 'One answer, or a list of accepted ones.', required: false },
  { field: 'id', label: 'Task id', help: 'Unique. Line numbers serve without it.', required: false },
  { field: 'cluster', label: 'Cluster', help: 'Equal values mark dependent tasks; errors are clustered.', required: false },
  { field: 'date', label: 'Date', help: 'For date windows, e.g. 2024-05-31.', required: false },
  { field: 'turns', label: 'Further turns', help: 'What the user says after each answer, a text or a list.', required: false },
  {
    field: 'turn_targets',
    label: 'Answers by turn',
    help: 'Reference answers of every turn, a list; all turns are then graded.',
    required: false,
  },
  { field: 'depends_on', label: 'Depends on', help: 'Ids of tasks that must be selected with it.', required: false },
] as const

export type MappingField = (typeof singleFields)[number]['field'] | 'choices' | 'groups' | 'media'

export const answerKeyWords: Readonly<Record<AnswerKeyForm, string>> = {
  text: 'Text of the right choice',
  label: 'Label given in the file',
  letter: 'Letter (A is the first choice)',
  zero_based: 'Position counted from 0',
  one_based: 'Position counted from 1',
  flags: '1 at the right choice, 0 at the others',
}

/** The columns as the service read them, with what the reader chose over them. */
export function shownMapping(read: ColumnMapping | null, chosen: Mapping): Mapping {
  return { ...read, ...chosen }
}

/** Choices as a list of columns, whichever form they were given in. */
export function choiceColumns({ choices }: Mapping): readonly string[] {
  return choices === null || choices === undefined ? [] : typeof choices === 'string' ? [choices] : choices
}

/** Choices as they are sent: one column with a list, several with a choice each, or none. */
export function toChoices(columns: readonly string[]): Exclude<ColumnMapping['choices'], undefined> {
  const [only] = columns
  return columns.length > 1 ? [...columns] : (only ?? null)
}

/** Columns of media as they are sent: each by its own name, as marks and templates may use it; null for none. */
export function toMedia(columns: readonly string[]): Exclude<ColumnMapping['media'], undefined> {
  return columns.length === 0 ? null : Object.fromEntries(columns.map(column => [column.replaceAll(/\W/g, '_').slice(0, 64), column]))
}
