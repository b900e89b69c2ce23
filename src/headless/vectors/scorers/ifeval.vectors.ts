import { z } from 'zod'
import { ifevalInstructions } from '../../../engine/grading/scorers/ifeval/instructions.ts'
import { looseVariants, strictVariants } from '../../../engine/grading/scorers/ifeval/variants.ts'
import { option, textOutput } from './read-row.ts'
import type { RunVector, VectorFamily } from './vector-row.ts'

// The file names some instructions after the original's test cases instead of their registered ids.
const instructions: Readonly<Record<string, string>> = {
  'detectable_format:exact_number_bullet_points': 'detectable_format:number_bullet_lists',
  'detectable_format:minimum_number_highlighted_sections': 'detectable_format:number_highlighted_sections',
  'keywords:include_keywords': 'keywords:existence',
  'keywords:keyword_frequency': 'keywords:frequency',
}

const follows =
  (id: string): RunVector =>
  row =>
    ifevalInstructions.checker(id, row.options)(textOutput(row))

export const ifevalVectors: VectorFamily = {
  runs: {
    ...Object.fromEntries(ifevalInstructions.ids.map(id => [`ifeval/${id}`, follows(id)])),
    ...Object.fromEntries(Object.entries(instructions).map(([name, id]) => [`ifeval/${name}`, follows(id)])),
    'ifeval/strict-vs-loose': row => {
      const check = ifevalInstructions.checker(option(row, 'instruction_id', z.string()), row.options)
      return { strict: strictVariants(textOutput(row)).some(check), loose: looseVariants(textOutput(row)).some(check) }
    },
  },
}
