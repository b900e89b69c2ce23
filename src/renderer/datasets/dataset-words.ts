import type { DatasetImport, DatasetScan } from '../../contract/datasets/dataset-imports.schemas.ts'
import type { VersionChange } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import type { Example, LabelState, ReviewState, VerificationRecord } from '../../contract/datasets/examples.schemas.ts'
import type { Status } from '../ui/values/statuses.ts'

export const taskWords: Readonly<Record<Dataset['task'], string>> = {
  answer: 'Pass or fail',
  classify: 'Classification',
  pairwise: 'Pairwise preference',
  score: 'Score',
}

export const reviewStatuses: Readonly<Record<ReviewState, Status>> = {
  draft: { word: 'Draft', tone: 'neutral' },
  in_review: { word: 'In review', tone: 'human' },
  approved: { word: 'Approved', tone: 'pass' },
  rejected: { word: 'Rejected', tone: 'fail' },
}

export const labelStateWords: Readonly<Record<LabelState, string>> = {
  none: 'No label',
  unanimous: 'Unanimous',
  majority: 'Majority',
  tie: 'Tie',
}

export const originWords: Readonly<Record<Example['origin']['kind'], string>> = {
  manual: 'Added manually',
  import: 'File',
  run: 'Run',
  trace: 'Trace',
  provider_dataset: 'Tracing provider',
}

export const importStatuses: Readonly<Record<DatasetImport['status'], Status>> = {
  validating: { word: 'Checking', tone: 'running' },
  writing: { word: 'Writing', tone: 'running' },
  landing: { word: 'Finishing', tone: 'running' },
  previewed: { word: 'Checked', tone: 'neutral' },
  imported: { word: 'Imported', tone: 'pass' },
  failed: { word: 'Failed', tone: 'fail' },
}

export const scanStatuses: Readonly<Record<DatasetScan['status'], Status>> = {
  queued: { word: 'Queued', tone: 'neutral' },
  running: { word: 'Running', tone: 'running' },
  succeeded: { word: 'Complete', tone: 'pass' },
  failed: { word: 'Failed', tone: 'fail' },
}

export const verificationWords: Readonly<Record<VerificationRecord['kind'], string>> = {
  human_review: 'Human review',
  duplicate_scan: 'Duplicate scan',
  secret_scan: 'Secret scan',
  grader_agreement: 'Grader agreement',
}

export const changeStatuses: Readonly<Record<VersionChange['change'], Status>> = {
  added: { word: 'Added', tone: 'pass' },
  removed: { word: 'Removed', tone: 'fail' },
  revised: { word: 'Revised', tone: 'neutral' },
  relabeled: { word: 'Relabeled', tone: 'warn' },
}

/** A value or figure as people read it. */
export function labelText({ label, label_state: state }: Pick<Example, 'label' | 'label_state'>): string {
  if (label !== null) return String(label)
  return state === 'tie' ? 'Tie' : '–'
}

/** Characters of a table's cell; the whole text is beside the table. */
const cellCharacters = 200

/** The beginning of a text in one line, for tables. */
export function oneLine(text: string): string {
  const line = text.slice(0, 2 * cellCharacters).replaceAll(/\s+/g, ' ')
  return line.length > cellCharacters ? `${line.slice(0, cellCharacters)}…` : line
}

export function inputText(input: Example['input']): string {
  if (typeof input === 'string') return input
  if (!Array.isArray(input)) return Object.values(input).map(fieldText).join(' · ')
  return input.map(({ content }) => describeParts(content)).join(' · ')
}

/** The texts of a message in any tool’s form, and how many parts are none. */
function describeParts(content: unknown): string {
  if (!Array.isArray(content)) return fieldText(content)
  const texts = content.flatMap((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? [part.text] : [],
  )
  const others = content.length - texts.length
  const more = texts.length === 0 ? '' : 'more '
  return [...texts, ...(others === 0 ? [] : [`${others} ${more}${others === 1 ? 'part' : 'parts'}`])].join(' · ')
}

/** Text as it is, anything else as JSON. */
export function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
