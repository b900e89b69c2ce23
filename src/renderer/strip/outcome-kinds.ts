import { outcomeCodes, type SampleVerdict } from '../../contract/runs/samples.schemas.ts'
import type { Tone } from '../ui/values/statuses.ts'

export interface OutcomeKind {
  readonly verdict: SampleVerdict
  readonly code: string
  readonly word: string
  /** The word with a capital, for labels and badges. */
  readonly title: string
  readonly tone: Tone
}

const tones: Readonly<Record<SampleVerdict, Tone>> = {
  correct: 'pass',
  wrong: 'fail',
  partial: 'warn',
  unscored: 'human',
  failed: 'human',
  missing: 'neutral',
  active: 'running',
  pending: 'neutral',
}
const words: Partial<Record<SampleVerdict, string>> = { active: 'in progress', pending: 'waiting', missing: 'not run' }

/** In the order in which they are told. */
export const outcomeKinds: readonly OutcomeKind[] = (Object.keys(outcomeCodes) as SampleVerdict[]) // Object.keys has the keys it was given
  .map(verdict => {
    const word = words[verdict] ?? verdict
    return { verdict, code: outcomeCodes[verdict], word, title: word.replace(/^./, first => first.toUpperCase()), tone: tones[verdict] }
  })

export interface CountedKind extends OutcomeKind {
  readonly count: number
}

/** Kinds that occur, with how many samples are of each. */
export function countKinds(codes: string): readonly CountedKind[] {
  const counts = new Map<string, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  return outcomeKinds.map(kind => ({ ...kind, count: counts.get(kind.code) ?? 0 })).filter(({ count }) => count > 0)
}
