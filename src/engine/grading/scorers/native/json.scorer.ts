import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { compileSchema } from '../text/json-schema.ts'
import { parseJson, sameJson, withoutFence } from '../text/json-text.ts'
import { describeTargets, judged, unscored } from '../verdict.ts'
import { compileJsonPath } from './json-path.ts'

export const jsonSchema = defineScorer({
  id: 'assay/json_schema',
  version: 1,
  title: 'JSON schema',
  description: 'The output is JSON, bare or in one code fence, and valid under the schema (draft 2020-12, 7 or 6).',
  options: z.strictObject({ schema: z.record(z.string(), z.unknown()) }),
  prepare({ schema }) {
    const check = compileSchema(schema)
    return ({ output }) => {
      const text = withoutFence(output)
      const value = parseJson(text)
      if (value === undefined) return judged(false, { answer: null, explanation: 'The output is not JSON.' })
      const problems = check(value)
      return judged(problems.length === 0, {
        answer: text,
        explanation: problems.length === 0 ? 'The JSON is valid under the schema.' : `The JSON breaks the schema: ${problems.join('; ')}.`,
      })
    }
  },
})

export const jsonPath = defineScorer({
  id: 'assay/json_path',
  version: 1,
  title: 'JSON path',
  description:
    'What a JSON path selects from the output: it exists, or one selected value equals a target (read as JSON where it is JSON).',
  options: z.strictObject({ path: z.string().min(1).max(500), expect: z.enum(['exists', 'equals_target']).default('equals_target') }),
  prepare({ path, expect }) {
    const select = compileJsonPath(path)
    return ({ output, targets }) => {
      if (expect === 'equals_target' && targets.length === 0) return unscored('The task has no target to compare with.')
      const value = parseJson(withoutFence(output))
      if (value === undefined) return judged(false, { answer: null, explanation: 'The output is not JSON.' })
      const selected = select(value)
      const answer = selected.length === 0 ? null : JSON.stringify(selected[0])
      const wanted = targets.map(target => ({ text: target, json: parseJson(target) }))
      const isMatch =
        expect === 'exists'
          ? selected.length > 0
          : selected.some(each => wanted.some(({ text, json }) => each === text || (json !== undefined && sameJson(each, json))))
      return judged(isMatch, {
        answer,
        explanation: `The path ${path} selects ${selected.length} values${expect === 'exists' ? '' : `; ${describeTargets(targets)}`}.`,
      })
    }
  },
})
