import type { Metric } from '../../../../../contract/index.ts'
import type { BenchmarkDefinition, BundledBenchmark, ProfileDefinition } from '../../../../tasks/definition.ts'
import { generate, versionOf } from './generate.ts'

const seed = 20_261_101

const metrics: readonly Metric[] = [
  {
    id: 'exact_match_flexible',
    title: 'Exact match, flexible',
    scorer: 'lm_eval/gsm8k_flexible',
    scorer_version: 1,
    options: {},
    binary: true,
    primary: true,
  },
  {
    id: 'exact_match_strict',
    title: 'Exact match, strict',
    scorer: 'lm_eval/gsm8k_strict',
    scorer_version: 1,
    options: {},
    binary: true,
    primary: false,
  },
]

const shared = {
  split: 'test',
  systemPrompt: null,
  metrics,
  requires: ['chat'],
  chanceLevel: null,
  breakdowns: ['steps', 'topic'],
} as const

const profiles: readonly ProfileDefinition[] = [
  {
    ...shared,
    key: 'zero-shot',
    title: 'Zero-shot',
    summary: 'The problem alone, with the request to end on a line with the number.',
    promptTemplate: '{question}\n\nWork it out step by step. Then write the final number alone on the last line in the form\n#### <number>',
    shotTemplate: null,
    shots: 0,
    generation: { temperature: 0, max_output_tokens: 512, stop: [] },
  },
  {
    ...shared,
    key: '3-shot',
    title: '3-shot',
    summary: 'Three worked examples that are not among the tasks, then the problem. Works for models that only complete text.',
    promptTemplate: 'Question: {question}\nAnswer:',
    shotTemplate: 'Question: {question}\nAnswer: {solution}\n\n',
    shots: 3,
    generation: { temperature: 0, max_output_tokens: 512, stop: ['Question:'] },
  },
]

const definition: BenchmarkDefinition = {
  slug: 'arithmetic-word-problems',
  provider: 'assay',
  name: 'arithmetic-word-problems',
  title: 'Arithmetic word problems',
  summary: 'Short stories whose answer takes two to five steps of arithmetic with whole numbers.',
  description:
    'Whether a model can turn a short everyday story into the right sequence of additions, subtractions, multiplications and divisions and carry them ' +
    'out. Every problem takes two to five steps and has one whole number as its answer. Two metrics read the same answer: flexible takes the last ' +
    'number in the text, strict only a number after "####". Flexible is the one the benchmark is known by, because it measures the arithmetic; the ' +
    'distance between the two shows how well the model keeps to the form asked for.',
  howMade:
    'By a generator in this repository, from thirty stories on fifteen topics with names, things and numbers drawn from a seed. The solution, the ' +
    'answer and the number of steps come from the same record of the calculation. Problems whose numbers do not come out whole, whose answer already ' +
    'stands in the question, or that repeat another one are drawn again. The seed is part of the version: another seed is a fresh form that nobody has seen.',
  knownLimits: [
    'The stories follow thirty patterns, so a model that was tuned on them would do better than on problems written by people.',
    'Only whole positive numbers up to 20,000, no fractions, percentages of percentages, rates of change or geometry beyond rectangles.',
    'Every number in a story is needed; there are no distracting facts.',
    'English only. Money is always in dollars and lengths in metric units.',
    'Strong models solve nearly all of it: use it to check a set-up or to compare small models, not to rank the best.',
  ],
  runner: 'inspect',
  capabilities: ['arithmetic', 'multi-step reasoning'],
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  citation: null,
  homepage: null,
  profiles,
}

export const arithmeticWordProblems: BundledBenchmark = { definition, version: versionOf(seed), generate: () => generate(seed) }
