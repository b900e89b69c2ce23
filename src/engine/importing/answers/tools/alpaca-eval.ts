import { createHash } from 'node:crypto'
import { z } from 'zod'
import { LogError, parseLogJson } from '../foreign-log.ts'
import type { ToolReader } from './read-tool-results.ts'
import { recordedLog, type RecordedRow, rowsIn } from './recorded-rows.ts'

const Annotation = z.looseObject({
  instruction: z.string(),
  output_1: z.string(),
  output_2: z.string(),
  generator_1: z.string(),
  generator_2: z.string(),
  annotator: z.string().nullish(),
  preference: z.number().nullish().catch(null),
})
const Output = z.looseObject({ instruction: z.string(), output: z.string(), generator: z.string().nullish() })

const winRate = 'preferred to the reference'

/**
 * Annotations of AlpacaEval, whose `preference` goes from 1 (the first output, the reference) to 2 (the second, the model's): its part above 1
 * is the model's score. Outputs alone come without scores.
 */
export const alpacaEval: ToolReader = {
  tool: 'AlpacaEval',
  matches: ({ head }) =>
    /"instruction"\s*:/.test(head) &&
    ((/"generator_2"\s*:/.test(head) && /"output_2"\s*:/.test(head)) || (/"generator"\s*:/.test(head) && /"output"\s*:/.test(head))),
  read: files =>
    files.map(({ name, bytes }) => {
      const value = parseLogJson(bytes.toString('utf8'), name)
      if (!Array.isArray(value)) throw new LogError(`"${name}" cannot be read as AlpacaEval outputs.`)
      if (value.some(one => Annotation.safeParse(one).success)) {
        const { rows: annotations, left } = rowsIn(Annotation, value, name, 'annotation')
        const references = new Set(annotations.map(one => one.generator_1))
        const rows = annotations.map((one): RecordedRow => {
          const { instruction, output_2: output, generator_2: model, preference, annotator } = one
          return {
            ...rowOf(instruction, output, model),
            scores: preference == null ? {} : { [winRate]: preference - 1 },
            reasons:
              preference == null ? {} : { [winRate]: `${annotator ?? 'The annotator'} compared it with the answer of ${one.generator_1}.` },
          }
        })
        return recordedLog('AlpacaEval', 'AlpacaEval', rows, [
          ...left,
          `The score of an answer is how far ${[...new Set(annotations.flatMap(({ annotator }) => annotator ?? []))].join(', ') || 'the annotator'} preferred it to that of ${[...references].join(', ')}. Win rates that are controlled for length are another figure.`,
        ])
      }
      const { rows: outputs, left } = rowsIn(Output, value, name, 'output')
      const rows = outputs.map(({ instruction, output, generator }) => rowOf(instruction, output, generator ?? 'unknown model'))
      return recordedLog('AlpacaEval', 'AlpacaEval', rows, [
        ...left,
        'The outputs come without scores: send annotations.json instead, or choose an evaluator.',
      ])
    }),
}

/** Instructions have no ids. */
function rowOf(instruction: string, output: string, model: string): RecordedRow {
  const id = `instruction-${createHash('sha256').update(instruction).digest('hex').slice(0, 12)}`
  return { id, input: instruction, targets: [], model, epoch: 1, output, scores: {} }
}
