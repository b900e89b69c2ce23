import { caseText } from '../contract/tuning/case-input.ts'
import { mostCases, type TuneCase } from '../contract/tuning/draft.schemas.ts'
import { quotedCase } from '../engine/reporting/tuning/held-out-text.ts'
import { splitCases } from '../engine/reporting/tuning/split-cases.ts'
import { readCases } from '../storage/reads/tune-cases.ts'
import { openReader } from './database-path.ts'

/** A prompt that a search proposes, and the cases of the session's revision that it is read against. */
export interface HeldOutTask {
  readonly sessionNo: number
  readonly revision: number
  readonly seed: number
  readonly trainShare: number
  readonly proposal: string
  /** Prompts of the search so far: what they say may be said again. */
  readonly known: readonly string[]
}

/** Id of the first held-out case that the proposal quotes, or null. */
export default function quotedHeldOut({ sessionNo, revision, seed, trainShare, proposal, known }: HeldOutTask): string | null {
  const db = openReader()
  try {
    const { training, heldOut } = splitCases(readCases(db, sessionNo, revision, mostCases), seed, trainShare)
    const answersOf = ({ expected }: TuneCase) => [expected ?? []].flat()
    const shown = training.map(one => `${caseText(one.input)}\n${answersOf(one).join('\n')}`)
    const kept = heldOut.map(one => ({ input: caseText(one.input), answers: answersOf(one) }))
    return heldOut[quotedCase(proposal, kept, [...known, ...shown])]?.id ?? null
  } finally {
    db.close()
  }
}
