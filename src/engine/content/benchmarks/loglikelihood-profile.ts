import type { ProfileDefinition } from '../../tasks/definition.ts'
import { binaryMetric } from '../../tasks/metric.ts'

/** For tasks with answer choices and endpoints that tell how likely a continuation is: nothing is generated, the likeliest choice counts. */
export const loglikelihoodProfile: ProfileDefinition = {
  key: 'loglikelihood',
  title: 'By log-likelihood',
  summary:
    'Each choice is measured as a continuation of the question, one call a choice; the likeliest is taken. Needs an endpoint whose check has proved log-likelihoods.',
  split: 'test',
  systemPrompt: null,
  promptTemplate: 'Question: {question}\nAnswer:',
  shotTemplate: null,
  shots: 0,
  generation: { temperature: 0, max_output_tokens: 1, stop: [] },
  metrics: [
    binaryMetric('acc', 'Accuracy', 'lm_eval/multiple_choice', { primary: true, options: { metric: 'acc' } }),
    binaryMetric('acc_norm', 'Accuracy per character', 'lm_eval/multiple_choice', { options: { metric: 'acc_norm' } }),
  ],
  requires: ['loglikelihood'],
  chanceLevel: null,
  breakdowns: [],
  loglikelihood: { most: 4 },
}
