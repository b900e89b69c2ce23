import { z } from 'zod'
import { removeAsciiPunctuation } from '../python/strings.ts'
import { taskPattern } from './known-patterns.ts'

/** The options of lm-eval's `exact_match`, under its names. */
export const exactMatchSchema = z.strictObject({
  /** Patterns removed from both sides, in this order, before everything else. */
  regexes_to_ignore: z.array(z.string().max(1000)).max(50).default([]),
  ignore_case: z.boolean().default(false),
  /** ASCII punctuation only; `3.5` becomes `35`. */
  ignore_punctuation: z.boolean().default(false),
  ignore_numbers: z.boolean().default(false),
})

/** What lm-eval's `exact_match` compares: both sides go through this. Nothing is stripped: `" 42"` is not `"42"`. */
export function prepareNormalizer(options: z.output<typeof exactMatchSchema>): (text: string) => string {
  const ignored = options.regexes_to_ignore.map(taskPattern)
  return text => {
    let normal = text
    for (const pattern of ignored) normal = pattern.remove(normal)
    if (options.ignore_case) normal = normal.toLowerCase()
    if (options.ignore_punctuation) normal = removeAsciiPunctuation(normal)
    return options.ignore_numbers ? normal.replace(/[0-9]/g, '') : normal
  }
}
