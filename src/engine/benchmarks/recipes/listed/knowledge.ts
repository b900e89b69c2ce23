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

const arcChallenge = listed({
  slug: 'arc-challenge',
  provider: 'allenai',
  title: 'ARC Challenge',
  summary: 'School science questions that simple retrieval answers wrongly.',
  description:
    'Multiple-choice science questions of school level; the challenge set holds those that a retrieval method and a word statistic both failed.',
  howMade: 'Collected from school exams by the Allen Institute for AI (Clark et al., 2018).',
  knownLimits: ['Public since 2018.', 'A few questions have three or five choices instead of four.'],
  runner: 'lm-eval',
  capabilities: ['knowledge', 'science'],
  licence: { name: 'CC BY-SA 4.0', url: 'https://creativecommons.org/licenses/by-sa/4.0/' },
  citation: 'Clark et al. (2018), Think you have Solved Question Answering? Try ARC, the AI2 Reasoning Challenge, arXiv:1803.05457',
  homepage: 'https://allenai.org/data/arc',
  files: [{ role: 'test', fileName: 'ARC-Challenge-Test.jsonl', url: 'https://allenai.org/data/arc', purpose: 'The test questions.' }],
  promptTemplate,
  metric,
  chanceLevel: null,
  unreadable: byMapping('its nested choices'),
})

const hellaswag = listed({
  slug: 'hellaswag',
  provider: 'rowanz',
  title: 'HellaSwag',
  summary: 'Choosing the sentence that sensibly continues a text.',
  description:
    'Whether a model knows how everyday situations go on. Four endings, one written by people, three by a model and hard to tell from it.',
  howMade: 'From video captions and how-to articles, with wrong endings filtered to fool models of 2019 (Zellers et al.).',
  knownLimits: [
    'Only the validation set has public answers.',
    'Made for log-likelihood; by letter the scores are different.',
    'Many texts are ungrammatical.',
  ],
  runner: 'lm-eval',
  capabilities: ['common sense'],
  licence: { name: 'MIT', url: 'https://github.com/rowanz/hellaswag/blob/master/LICENSE' },
  citation: 'Zellers et al. (2019), HellaSwag: Can a Machine Really Finish Your Sentence?, arXiv:1905.07830',
  homepage: 'https://github.com/rowanz/hellaswag',
  files: [
    {
      role: 'validation',
      fileName: 'hellaswag_val.jsonl',
      url: 'https://github.com/rowanz/hellaswag/tree/master/data',
      purpose: 'Contexts with four endings.',
    },
  ],
  promptTemplate,
  metric,
  chanceLevel: 0.25,
  unreadable:
    'This version scores it by letter only. Import hellaswag_val.jsonl as JSONL with the column mapping {"input": "ctx", "choices": "endings", "target": "label"}.',
})

export const knowledge: readonly Recipe[] = [mmlu, mmluPro, arcChallenge, hellaswag]
