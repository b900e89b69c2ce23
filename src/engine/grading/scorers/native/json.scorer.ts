import { z } from 'zod'
import { findJson, jsonText, parseExactJson } from '../../extraction/json.ts'
import { defineScorer } from '../define-scorer.ts'
import { compileSchema } from '../text/json-schema.ts'
import { sameJson } from '../text/json-text.ts'
import { describeTargets, judged, unscored } from '../verdict.ts'
import { compileJsonPath } from './json-path.ts'

export const jsonSchema = defineScorer({
  id: 'assay/json_schema',
  version: 3,
  title: 'JSON schema',
  description: 'The output is JSON, bare or in a code fence of any form, and valid under the schema (draft 2020-12, 7 or 6).',
  options: z.strictObject({ schema: z.record(z.string(), z.unknown()) }),
  prepare({ schema }) {
    const check = compileSchema(schema)
    return ({ output }) => {
      const found = findJson(output)
      if (!found) return judged(false, { answer: null, explanation: 'The output is not JSON.' })
      const { text } = found
      // The validator knows no whole numbers beyond doubles.
      const problems = check(JSON.parse(text))
      return judged(problems.length === 0, {
        answer: text,
        explanation: problems.length === 0 ? 'The JSON is valid under the schema.' : `The JSON breaks the schema: ${problems.join('; ')}.`,
      })
    }
  },
})

export const jsonPath = defineScorer({
  id: 'assay/json_path',
  version: 3,
  title: 'JSON path',
  description:
    'What a JSON path selects from the output: it exists, or one selected value equals a target (read as JSON where it is JSON).',
  options: z.strictObject({ path: z.string().min(1).max(500), expect: z.enum(['exists', 'equals_target']).default('equals_target') }),
  prepare({ path, expect }) {
    const select = compileJsonPath(path)
    return ({ output, targets }) => {
      if (expect === 'equals_target' && targets.length === 0) return unscored('The task has no target to compare with.')
      const found = findJson(output)
      if (!found) return judged(false, { answer: null, explanation: 'The output is not JSON.' })
      const selected = select(found.value)
      const answer = selected.length === 0 ? null : jsonText(selected[0])
      const wanted = targets.map(target => ({ text: target, json: parseExactJson(target) }))
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
