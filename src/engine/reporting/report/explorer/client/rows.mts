import { searchable } from '../../../../../lib/format/visible-text.ts'
import type { ExplorerConfig, ExplorerRow } from '../explorer-data.ts'
import { reportOutcomes } from '../report-outcomes.ts'
import { readTranscript } from './islands.mts'

export interface Row {
  readonly position: number
  readonly id: string
  readonly profile: number
  readonly task: string
  readonly epoch: number
  readonly status: string
  /** First letter of one of `reportOutcomes`. */
  readonly outcome: string
  /** By the configuration's metrics; undefined where the profile does not have the metric. */
  readonly values: readonly (number | null | undefined)[]
  readonly answer: string | null
  readonly target: string | null
  readonly errorCode: string | null
  readonly latencyMs: number | null
  readonly outputTokens: number | null
  readonly parts: readonly number[]
}

/** The reader's filters; an empty string or false filters nothing. Choices are places in the lists of the form. */
export interface Filter {
  readonly query: string
  readonly outcome: string
  readonly part: string
  readonly profile: string
  readonly disagree: boolean
}

export function toRow(row: ExplorerRow, config: ExplorerConfig): Row {
  const [position, id, profile, task, epoch, status, outcome, values, answer, target, errorCode, latencyMs, outputTokens, parts] = row
  const own = config.profiles[profile]?.metrics ?? []
  const byMetric = config.metrics.map(metric => values[own.indexOf(metric.id)])
  return {
    position,
    id,
    profile,
    task,
    epoch,
    status,
    outcome,
    values: byMetric,
    answer,
    target,
    errorCode,
    latencyMs,
    outputTokens,
    parts,
  }
}

export function matches(row: Row, filter: Filter): boolean {
  if (filter.outcome !== '' && row.outcome !== reportOutcomes[Number(filter.outcome)]?.charAt(0)) return false
  if (filter.part !== '' && !row.parts.includes(Number(filter.part))) return false
  if (filter.profile !== '' && row.profile !== Number(filter.profile)) return false
  if (filter.disagree && !disagrees(row)) return false
  return filter.query === '' || searchText(row).includes(searchable(filter.query))
}

export interface ShownOutcome {
  readonly words: string
  readonly className: string
}

/** An outcome has a sign and a word, never a color alone. */
export function outcomeOf({ outcome, status }: Row): ShownOutcome {
  if (outcome === 'c') return { words: '✓ correct', className: 'correct' }
  if (outcome === 'w') return { words: '✗ wrong', className: 'wrong' }
  if (outcome === 'p') return { words: '◐ partial', className: 'partial' }
  return { words: status === 'scored' ? '○ unscored' : `○ ${status}`, className: 'no-score' }
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
