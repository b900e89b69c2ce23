import { fixedPattern } from '../patterns/fixed-pattern.ts'
import { firstMatch } from '../patterns/pattern.ts'
import { rstrip, SPACE_CLASS, strip } from '../python/strings.ts'
import type { Extraction } from '../verdict.ts'

const choiceLine = fixedPattern(/Answer[ \t]*:[ \t]*\$?([A-D])\$?/iu)
const answerLine = fixedPattern(new RegExp(`Answer[${SPACE_CLASS}]*:[${SPACE_CLASS}]*([^\\n]+)`, 'iu'))

/** The letter after the first `Answer:`; no bracket may precede it, but more letters may follow: "Answer: Apple" is A. */
export function choiceLetter(output: string): Extraction | null {
  return firstMatch(choiceLine, output)?.groups[1] ?? null
}

/** The rest of the line after the first `Answer:`. */
export function answerText(output: string): Extraction | null {
  return firstMatch(answerLine, output)?.groups[1] ?? null
}

/** The last number after the last occurrence of the prefix, commas removed and its sign lost; empty without either. */
export function mgsmAnswer(output: string, prefix: string): string {
  if (!output.includes(prefix)) return ''
  const after = strip(output.split(prefix).at(-1) ?? '').replaceAll(',', '')
  return rstrip(after.match(/\p{Nd}+\.?\p{Nd}*/gu)?.at(-1) ?? '', '.')
}

/** Equality of a predicted number with the target, both without commas, the prediction without decimal zeros. */
export function isMgsmCorrect(target: string, prediction: string): boolean {
  const short = prediction.includes('.') ? rstrip(rstrip(prediction, '0'), '.') : prediction
  return target.replaceAll(',', '') === short.replaceAll(',', '')
}
