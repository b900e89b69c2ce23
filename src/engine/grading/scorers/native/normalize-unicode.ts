import { z } from 'zod'
import { normalizeText } from '../../extraction/readable.ts'
import { casefold } from '../python/strings.ts'

/** The option that `assay/*` scorers which compare texts share; measures that copy a published one (BLEU, chrF, ROUGE) have none. */
export const normalizeUnicode = z
  .boolean()
  .default(true)
  .describe('Compares after Unicode normalization: NFKC, one form of apostrophes, quotes, minus signs and spaces, no invisible characters.')

/** How texts are made alike before they are compared. */
export function folding(ignoreCase: boolean, normalize: boolean): (text: string) => string {
  return text => {
    const normal = normalize ? normalizeText(text) : text
    return ignoreCase ? casefold(normal) : normal
  }
}
