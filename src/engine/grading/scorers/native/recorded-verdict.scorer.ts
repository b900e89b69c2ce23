import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { graded, judged, quote, unscored } from '../verdict.ts'
import { isObject } from '../../../../lib/json-value.ts'

/** The scorer of verdicts that are part of an example; it looks at no output. */
export const recordedVerdictId = 'assay/recorded_verdict'

/** What a judge of another tool said of an example's output, so that it can be calibrated without calling it. */
export const recordedVerdict = defineScorer({
  id: recordedVerdictId,
  version: 1,
  title: 'Recorded verdict',
  description:
    'The verdict that an example of a dataset holds in a metadata field, such as that of another tool’s judge. Nothing is graded; answers of runs have none.',
  options: z
    .strictObject({
      field: z
        .string()
        .min(1)
        .max(200)
        .describe('Metadata field of the verdict. A dot leads into an object: labels.quality is quality of labels.'),
      passes: z
        .array(z.string().min(1).max(80))
        .max(30)
        .default(['pass', 'yes', 'true', 'correct', 'C'])
        .describe('Words that pass, in any case; other words fail. Labels of the dataset are compared as they are.'),
      lowest: z.number().default(0).describe('Worst possible number.'),
      highest: z.number().default(1).describe('Best possible number.'),
    })
    .refine(({ lowest, highest }) => lowest < highest, { message: 'lowest must be below highest', path: ['highest'] }),
  prepare: ({ field, passes, lowest, highest }) => {
    const passing = new Set(passes.map(word => word.toLowerCase()))
    return ({ example }) => {
      if (!example) return unscored('Only examples of a dataset hold recorded verdicts.')
      const found = fieldOf(example, field)
      if (typeof found === 'boolean') return judged(found, { answer: String(found), explanation: `Recorded as ${found}.` })
      const text = typeof found === 'string' || typeof found === 'number' ? String(found).trim() : ''
      if (text === '') return unscored(`The example has no verdict in its metadata field ${quote(field)}.`)
      const detail = { answer: text, label: text }
      const number = passing.has(text.toLowerCase()) ? Number.NaN : Number(text)
      if (number >= lowest && number <= highest)
        return graded((number - lowest) / (highest - lowest), {
          ...detail,
          explanation: `Recorded as ${text} on a scale from ${lowest} to ${highest}.`,
        })
      if (typeof found === 'number')
        return unscored(`The recorded number ${found} is not between ${lowest} and ${highest}. State its range with lowest and highest.`)
      return judged(passing.has(text.toLowerCase()), { ...detail, explanation: `Recorded as ${quote(text)}.` })
    }
  },
})

/** The field of that very name, or the one that the path leads to; undefined where there is none. */
function fieldOf(metadata: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(metadata, path)) return metadata[path]
  const dot = path.indexOf('.')
  const inner = dot > 0 && Object.hasOwn(metadata, path.slice(0, dot)) ? metadata[path.slice(0, dot)] : undefined
  return isObject(inner) ? fieldOf(inner, path.slice(dot + 1)) : undefined
}
