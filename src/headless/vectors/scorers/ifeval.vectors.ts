import { z } from 'zod'
import { instructionChecker } from '../../../engine/grading/scorers/ifeval/instructions.ts'
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

const sameName = [
  'change_case:english_capital',
  'change_case:english_lowercase',
  'combination:repeat_prompt',
  'combination:two_responses',
  'detectable_content:number_placeholders',
  'detectable_content:postscript',
  'detectable_content:rephrase_paragraph',
  'detectable_format:constrained_response',
  'detectable_format:multiple_sections',
  'detectable_format:rephrasing',
  'detectable_format:title',
  'keywords:forbidden_words',
  'keywords:letter_frequency',
  'language:response_language',
  'length_constraints:nth_paragraph_first_word',
  'length_constraints:number_paragraphs',
  'length_constraints:number_sentences',
  'length_constraints:number_words',
  'multi-turn:constrained_start',
  'punctuation:no_comma',
  'startend:end_checker',
  'startend:quotation',
]

const follows =
  (id: string): RunVector =>
  row =>
    instructionChecker(id, row.options)(textOutput(row))

export const ifevalVectors: VectorFamily = {
  runs: {
    ...Object.fromEntries(sameName.map(id => [`ifeval/${id}`, follows(id)])),
    ...Object.fromEntries(Object.entries(instructions).map(([name, id]) => [`ifeval/${name}`, follows(id)])),
    'ifeval/strict-vs-loose': row => {
      const check = instructionChecker(option(row, 'instruction_id', z.string()), row.options)
      return { strict: strictVariants(textOutput(row)).some(check), loose: looseVariants(textOutput(row)).some(check) }
    },
  },
}
