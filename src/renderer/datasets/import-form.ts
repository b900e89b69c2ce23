import { isArchiveName, unpackedName } from '../../lib/file-name.ts'
import { fileFormats, formatsAs } from '../../contract/catalog/file-formats.ts'
import type { DatasetFormat, DatasetMapping } from '../../contract/datasets/dataset-imports.schemas.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'

/** The formats of examples as choices of a form. */
export const formatOptions = formatsAs('examples').map(value => ({ value, label: fileFormats[value].title }))

/** What the name of a file says of its form; an archive is most likely one that Assay exported. */
export function formatOf(fileName: string): DatasetFormat | null {
  if (isArchiveName(fileName)) return 'jsonl'
  return formatsAs('examples').find(format => fileFormats[format].files.test(unpackedName(fileName))) ?? null
}

/** Which column holds what, while it is being chosen. */
export interface ChosenColumns {
  readonly input: readonly string[]
  /** In a pairwise dataset: the column with both. */
  readonly output: string | null
  readonly output_a: string | null
  readonly output_b: string | null
  readonly expected: string | null
  readonly id: string | null
  /** Column that is the whole metadata. */
  readonly metadata: string | null
  /** Columns with an annotator's labels; the column's name is the annotator's. */
  readonly labels: readonly string[]
  /** The file's value for each of the dataset's labels, where it is another one. */
  readonly values: Readonly<Record<string, string>>
}

/** What columns are usually called. */
const usual = {
  input: /^(?:input|question|prompt|instruction|query|text)$/i,
  output: /^(?:(?:model|assistant|llm|bot|ai|generated)_?)?(?:output|response|completion|prediction|answer)$/i,
  output_a: /^(?:output_?a|response_?(?:1|a)|answer_?(?:1|a))$/i,
  output_b: /^(?:output_?b|response_?(?:2|b)|answer_?(?:2|b))$/i,
  expected: /^(?:expected|target|reference|ideal|gold|ground_?truth)$/i,
  /** References too, in files without a column of a plainer name. */
  reference: /^(?:answer|solution|correct_?answer|expected_?(?:output|answer)|reference_?(?:output|answer))$/i,
  id: /^(?:id|idx|index|item_?id|example_?id)$/i,
  labels: /^(?:annotator|label|rater|human|grader|reviewer)(?!.*(?:comment|note|model|reason|explanation)s?$).*$/i,
} as const

export function guessColumns(columns: readonly string[], task: Dataset['task']): ChosenColumns {
  const first = (pattern: RegExp) => columns.find(column => pattern.test(column)) ?? null
  const isPair = task === 'pairwise'
  // A version that Assay exported: of its columns on labels one holds them.
  const isExport = ['revision', 'label', 'label_state', 'label_by', 'metadata'].every(column => columns.includes(column))
  const labels = columns.filter(column => (isExport ? column === 'label' : usual.labels.test(column)))
  const named = first(usual.expected) ?? first(usual.reference)
  const [a, b] = isPair ? [first(usual.output_a), first(usual.output_b)] : [null, null]
  // The rows of an export hold both outputs in one field; as CSV they have two.
  const holdsOutput = isPair ? isExport && a === null : true
  const output = holdsOutput ? (columns.find(column => usual.output.test(column) && column !== named) ?? null) : null
  // Without outputs there is nothing that people could have called pass or fail, so that a label is the reference.
  const expected = named ?? (task === 'answer' && output === null ? first(/^label$/i) : null)
  return {
    input: columns.filter(column => usual.input.test(column)),
    output,
    output_a: a,
    output_b: b,
    expected,
    id: first(usual.id),
    metadata: isExport ? 'metadata' : null,
    labels: labels.filter(column => column !== expected),
    values: {},
  }
}

/** Whether the columns look like two outputs to choose between. */
export function hasPairs(columns: readonly string[]): boolean {
  return [usual.output_a, usual.output_b].every(pattern => columns.some(column => pattern.test(column)))
}

/** The mapping that the service takes; null while something that it needs is missing. */
export function mappingOf(chosen: ChosenColumns, task: Dataset['task']): DatasetMapping | null {
  const [first] = chosen.input
  if (first === undefined) return null
  const { output, output_a: a, output_b: b } = chosen
  if (task === 'pairwise' && output === null && (a === null || b === null)) return null
  const values = Object.entries(chosen.values).filter(([, inFile]) => inFile.trim() !== '')
  return {
    input: chosen.input.length === 1 ? first : [...chosen.input],
    ...(output !== null ? { output } : task === 'pairwise' ? { output_a: a ?? '', output_b: b ?? '' } : {}),
    ...(chosen.expected === null ? {} : { expected: chosen.expected }),
    ...(chosen.id === null ? {} : { id: chosen.id }),
    ...(chosen.metadata === null ? {} : { metadata: chosen.metadata }),
    ...(chosen.labels.length > 0 ? { labels: Object.fromEntries(chosen.labels.map(column => [column, column])) } : {}),
    ...(values.length > 0 ? { label_values: Object.fromEntries(values.map(([label, inFile]) => [inFile.trim(), label])) } : {}),
  }
}
