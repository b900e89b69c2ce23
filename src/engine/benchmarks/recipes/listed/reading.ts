import { binaryMetric } from '../../metric.ts'
import type { Recipe } from '../recipe.ts'
import { byMapping, listed } from './listed.ts'

const shared = {
  runner: 'lm-eval',
  capabilities: ['reading comprehension'],
  promptTemplate: '{passage}\n\nQuestion: {question}\nAnswer:',
  metric: binaryMetric('exact_match', 'Exact match', 'inspect_ai/exact'),
  chanceLevel: null,
  unreadable: byMapping('its nested JSON'),
} as const

const drop = listed({
  ...shared,
  slug: 'drop',
  provider: 'allenai',
  title: 'DROP',
  summary: 'Questions on a passage that take counting, sorting or arithmetic.',
  description: 'Whether a model can find several facts in a passage and combine them. Answers are numbers, dates or words of the passage.',
  howMade: 'Written by crowd workers against a model, so that simple reading fails (Dua et al., 2019).',
  knownLimits: [
    'Exact match is strict about the form of an answer; the published score is an F1 over words.',
    'The hidden test set has no public answers.',
  ],
  licence: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  citation: 'Dua et al. (2019), DROP: A Reading Comprehension Benchmark Requiring Discrete Reasoning Over Paragraphs, arXiv:1903.00161',
  homepage: 'https://allenai.org/data/drop',
  files: [
    {
      role: 'archive',
      fileName: 'drop_dataset.zip',
      url: 'https://s3-us-west-2.amazonaws.com/allennlp/datasets/drop/drop_dataset.zip',
      purpose: 'Passages with their questions and answers.',
    },
  ],
})

const squad = listed({
  ...shared,
  slug: 'squad',
  provider: 'rajpurkar',
  title: 'SQuAD 1.1',
  summary: 'Questions on passages of Wikipedia, answered by a part of the passage.',
  description: 'Whether a model finds the part of a passage that answers a question.',
  howMade: 'Written by crowd workers on passages of Wikipedia (Rajpurkar et al., 2016).',
  knownLimits: ['Solved by models for years.', 'Several answers are right for many questions; the best match counts.'],
  licence: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  citation: 'Rajpurkar et al. (2016), SQuAD: 100,000+ Questions for Machine Comprehension of Text, arXiv:1606.05250',
  homepage: 'https://rajpurkar.github.io/SQuAD-explorer/',
  files: [
    {
      role: 'dev',
      fileName: 'dev-v1.1.json',
      url: 'https://rajpurkar.github.io/SQuAD-explorer/',
      purpose: 'Passages with their questions and answers.',
    },
  ],
})

export const reading: readonly Recipe[] = [drop, squad]
