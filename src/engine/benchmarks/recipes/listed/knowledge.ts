import { binaryMetric } from '../../metric.ts'
import type { Recipe } from '../recipe.ts'
import { choiceProfile } from '../readable/choice-profile.ts'
import { byMapping, listed } from './listed.ts'

const { promptTemplate } = choiceProfile
const metric = binaryMetric('choice', 'Right choice', 'inspect_ai/choice')

const mmlu = listed({
  slug: 'mmlu',
  provider: 'hendrycks',
  title: 'MMLU',
  summary: 'Multiple-choice questions on 57 subjects from school to professional exams.',
  description: 'Whether a model knows and can apply what is taught in 57 subjects. Four choices each, one of them right.',
  howMade: 'Collected by students from exams and textbooks that are freely available online (Hendrycks et al., 2020).',
  knownLimits: [
    'Public since 2020 and in much training data.',
    'Some published answers are wrong or ambiguous.',
    'Prompt and extraction change the score by several points.',
  ],
  runner: 'lm-eval',
  capabilities: ['knowledge', 'reasoning'],
  licence: { name: 'MIT', url: 'https://github.com/hendrycks/test/blob/master/LICENSE' },
  citation: 'Hendrycks et al. (2021), Measuring Massive Multitask Language Understanding, arXiv:2009.03300',
  homepage: 'https://github.com/hendrycks/test',
  files: [
    {
      role: 'archive',
      fileName: 'data.tar',
      url: 'https://people.eecs.berkeley.edu/~hendrycks/data.tar',
      purpose: 'Three folders with a CSV file without column names for each subject.',
    },
  ],
  promptTemplate,
  metric,
  chanceLevel: 0.25,
  unreadable: byMapping('tar archives of CSV files without column names'),
})

const mmluPro = listed({
  slug: 'mmlu-pro',
  provider: 'tiger-lab',
  title: 'MMLU-Pro',
  summary: 'Harder multiple-choice questions with up to ten choices.',
  description: 'A harder successor of MMLU: more choices, fewer trivial questions, more reasoning.',
  howMade: 'Chosen and extended from MMLU and other sources and reviewed by experts (Wang et al., 2024).',
  knownLimits: [
    'The number of choices varies, so the level of blind guessing does too.',
    'The published extraction accepts only "answer is (X)" and counts other forms as wrong.',
  ],
  runner: 'lm-eval',
  capabilities: ['knowledge', 'reasoning'],
  licence: { name: 'MIT', url: 'https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro' },
  citation: 'Wang et al. (2024), MMLU-Pro: A More Robust and Challenging Multi-Task Language Understanding Benchmark, arXiv:2406.01574',
  homepage: 'https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro',
  files: [
    {
      role: 'test',
      fileName: 'test-00000-of-00001.parquet',
      url: 'https://huggingface.co/datasets/TIGER-Lab/MMLU-Pro/tree/main/data',
      purpose: 'The test questions.',
    },
  ],
  promptTemplate,
  metric,
  chanceLevel: null,
  unreadable: byMapping('Parquet files'),
})

export const knowledge: readonly Recipe[] = [mmlu, mmluPro]
