import { searchable } from '../../../../../lib/format/visible-text.ts'
import type { ExplorerConfig, ExplorerRow } from '../explorer-data.ts'
import { readTranscript } from './islands.mts'

export interface Row {
  readonly position: number
  readonly id: string
  readonly profile: number
  readonly task: string
  readonly epoch: number
  readonly status: string
  readonly passed: boolean | null
  /** By the configuration's metrics; undefined where the profile does not have the metric. */
  readonly values: readonly (number | null | undefined)[]
  readonly answer: string | null
  readonly target: string | null
  readonly errorCode: string | null
  readonly latencyMs: number | null
  readonly outputTokens: number | null
}

/** The reader's filters; an empty string or false filters nothing. Choices are places in the lists of the form. */
export interface Filter {
  readonly query: string
  readonly verdict: string
  readonly outcome: string
  readonly profile: string
  readonly disagree: boolean
}

export function toRow(row: ExplorerRow, config: ExplorerConfig): Row {
  const [position, id, profile, task, epoch, status, passed, values, answer, target, errorCode, latencyMs, outputTokens] = row
  const own = config.profiles[profile]?.metrics ?? []
  const byMetric = config.metrics.map(metric => values[own.indexOf(metric.id)])
  return { position, id, profile, task, epoch, status, passed, values: byMetric, answer, target, errorCode, latencyMs, outputTokens }
}

const verdicts: readonly (boolean | null)[] = [true, false, null]

export function matches(row: Row, filter: Filter, outcomes: readonly string[]): boolean {
  if (filter.verdict !== '' && row.passed !== verdicts[Number(filter.verdict)]) return false
  if (filter.outcome !== '' && row.status !== outcomes[Number(filter.outcome)]) return false
  if (filter.profile !== '' && row.profile !== Number(filter.profile)) return false
  if (filter.disagree && !disagrees(row)) return false
  return filter.query === '' || searchText(row).includes(searchable(filter.query))
}

export interface Verdict {
  readonly words: string
  readonly className: string
}

/** A verdict has a sign and a word, never a colour alone. */
export function verdictOf({ passed, status }: Row): Verdict {
  if (passed === true) return { words: '✓ passed', className: 'passed' }
  if (passed === false) return { words: '✗ not passed', className: 'not-passed' }
  return { words: status === 'scored' ? '○ no verdict' : `○ ${status}`, className: 'no-verdict' }
}

function disagrees(row: Row): boolean {
  return new Set(row.values.filter(value => value !== null && value !== undefined)).size > 1
}

const searchTexts = new Map<Row, string>()

/** Line and transcript as one text; made when first searched, because most readers never search. */
function searchText(row: Row): string {
  const known = searchTexts.get(row)
  if (known !== undefined) return known
  const transcript = readTranscript(row.position)
  const parts = transcript === null ? [] : [...transcript.messages, ...transcript.targets, transcript.output, transcript.error?.message]
  const line = [row.task, row.id, row.answer, row.target, row.errorCode]
  const text = searchable([...line, ...parts.map(part => part?.text)].join('\n'))
  searchTexts.set(row, text)
  return text
}
