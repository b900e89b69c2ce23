import { outcomeCodes } from '../../contract/runs/samples.schemas.ts'

/** Outcome letters in which samples that are claimed and not begun wait, as in the run's progress. They are claimed in the run's order. */
export function showAheadAsPending(codes: string, ahead: number): string {
  if (ahead === 0) return codes
  const letters = [...codes]
  for (let left = ahead, at = codes.length; left > 0; left--) {
    at = codes.lastIndexOf(outcomeCodes.active, at - 1)
    if (at < 0) break
    letters[at] = outcomeCodes.pending
    if (at === 0) break
  }
  return letters.join('')
}
