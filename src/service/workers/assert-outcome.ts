import { ApiError } from '../../contract/errors.ts'
import type { WorkerOutcome } from '../../contract/workers/workers.schemas.ts'
import type { BatchContent } from './hold-limit.ts'

type Score = Extract<WorkerOutcome, { kind: 'grade' }>['scores'][number][number]

/** A worker is another machine: an outcome that its batch cannot have is refused at the door. @throws ApiError validation_error */
export function assertOutcome(content: BatchContent, outcome: WorkerOutcome): void {
  const msg = misfit(content, outcome)
  if (msg) throw new ApiError('validation_error', `outcome ${msg}`, { detail: [{ loc: ['body', 'outcome'], msg, type: 'value_error' }] })
}

function misfit(content: BatchContent, outcome: WorkerOutcome): string | null {
  if (content.kind !== outcome.kind) return `must be of the kind "${content.kind}"`
  if (content.kind !== 'grade' || outcome.kind !== 'grade') return null
  const [rows, columns] = [content.inputs.length, content.metrics.length]
  if (outcome.scores.length !== rows || outcome.scores.some(row => row.length !== columns))
    return `must have ${rows} rows of ${columns} scores`
  for (const [row, scores] of outcome.scores.entries()) {
    for (const [column, score] of scores.entries()) {
      const fault = faultOf(score, content.inputs[row]?.output.length ?? 0)
      if (fault !== null) return `scores[${row}][${column}] ${fault}`
    }
  }
  return null
}

/** @param length characters of the graded output */
function faultOf({ value, class: verdict, answerSpan: span }: Score, length: number): string | null {
  const meant = value === null ? null : value === 1 ? 'correct' : value === 0 ? 'wrong' : 'partial'
  if (meant !== null && verdict !== meant) return `must have the class "${meant}" for the value ${value}, not "${verdict}"`
  if (span && (span.start < 0 || span.end < span.start || span.end > length))
    return `must have an answerSpan inside of the output of ${length} characters, not ${span.start} to ${span.end}`
  return null
}
