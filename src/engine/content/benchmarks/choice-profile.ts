import type { Metric } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { ProfileDefinition } from '../../tasks/definition.ts'
import { binaryMetric } from '../../tasks/metric.ts'

/** Metadata of tasks under this profile: how an answer ends. */
export const choiceTemplate = { answer_template: 'ANSWER: {answer}' } as const

/**
 * The choice as a person reads it, with Inspect's own rule beside it, which only takes a letter after "ANSWER:".
 * @param options of both scorers
 */
export function choiceMetrics(options: { readonly multiple_correct?: boolean } = {}): Metric[] {
  return [
    binaryMetric('choice', 'Right choice', 'assay/choice', { primary: true, options }),
    binaryMetric('inspect_choice', 'Right choice by Inspect’s rule', 'inspect_ai/choice', { options }),
  ]
}

/** The same where several choices may be right and all of them must be named. */
export const severalRightProfile = {
  summary: 'Question and lettered choices, of which several may be right; the model thinks aloud and ends on a line with their letters.',
  promptTemplate:
    '{input}\n\n{choices}\n\nOne or more choices are right. Think step by step. Then give the letters of all right choices on the last line in the form\nANSWER: <letter>,<letter>',
  metrics: choiceMetrics({ multiple_correct: true }),
} as const satisfies Partial<ProfileDefinition>

/** Zero-shot for tasks with answer choices and models that answer in text: choices are lettered and the model names a letter. */
export const choiceProfile: ProfileDefinition = {
  key: 'zero-shot',
  title: 'Zero-shot, by letter',
  summary: 'Question and lettered choices; the model thinks aloud and ends on a line with the letter.',
  split: 'test',
  systemPrompt: null,
  promptTemplate:
    '{question}\n\n{choices}\n\nThink step by step. Then give the letter of the right choice on the last line in the form\nANSWER: <letter>',
  shotTemplate: null,
  shots: 0,
  generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
  metrics: choiceMetrics(),
  requires: ['chat'],
  chanceLevel: null,
  breakdowns: [],
}
