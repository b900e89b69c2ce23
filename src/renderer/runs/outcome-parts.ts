import type { RunProgress } from '../../contract/runs/runs.schemas.ts'
import { sampleStatuses, type Tone } from '../ui/values/statuses.ts'

export interface OutcomePart {
  readonly id: string
  readonly word: string
  readonly tone: Tone
  readonly count: number
}

/** The samples of a run by state; the parts add up to the frozen count. Those without samples are left out. */
export function outcomeParts(progress: RunProgress): readonly OutcomePart[] {
  const ended = (['scored', 'failed', 'excluded', 'missing', 'cancelled'] as const).map(status => ({
    id: status,
    word: sampleStatuses[status].word.toLowerCase(),
    tone: sampleStatuses[status].tone,
    count: progress[status],
  }))
  const open: readonly OutcomePart[] = [
    { id: 'active', word: 'in progress', tone: 'running', count: progress.active },
    { id: 'pending', word: 'waiting', tone: 'neutral', count: progress.pending },
  ]
  return [...ended, ...open].filter(part => part.count > 0)
}
