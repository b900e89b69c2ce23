import type { Metric } from '../../../../../contract/index.ts'
import type { BenchmarkDefinition, BundledBenchmark } from '../../../../tasks/definition.ts'
import { generate, versionOf } from './generate.ts'

const seed = 20_261_101

const metrics: readonly Metric[] = [
  { id: 'strict', title: 'All instructions, strict', scorer: 'ifeval/strict', scorer_version: 1, options: {}, binary: true, primary: true },
  { id: 'loose', title: 'All instructions, loose', scorer: 'ifeval/loose', scorer_version: 1, options: {}, binary: true, primary: false },
]

const definition: BenchmarkDefinition = {
  slug: 'instruction-following',
  provider: 'assay',
  name: 'instruction-following',
  title: 'Instruction following',
  summary: 'Writing tasks with one to three instructions that a program can check: length, layout, words, case, language.',
  description:
    'Whether a model does what it was told. Each prompt asks for a short text and adds one to three instructions that can be checked without judging ' +
    'the text: at least so many words, exactly so many bullet points, no commas, a certain ending and the like. A task counts as solved when every ' +
    'instruction is followed. Strict reads the answer as it is. Loose also accepts it without its first or last line or without asterisks, which ' +
    'forgives an opening phrase such as "Sure, here is". Strict is the metric the benchmark is known by.',
  howMade:
    'By a generator in this repository, from requests, reference sentences and 25 kinds of instructions of our own wording. The kinds and the way they ' +
    'are checked are those of IFEval (Zhou et al., arXiv 2311.07911), so results can be read beside it; none of its prompts are used. For each task ' +
    'an answer that follows all instructions is built first and the instructions are stated from it, so every task can be solved. The seed is part of ' +
    'the version.',
  knownLimits: [
    'It says nothing about whether the text is good, true or even about the topic: a text that only follows the instructions scores 1.',
    'The requests come from 44 topics of everyday life, work and general knowledge, so prompts resemble each other.',
    'Language, number of sentences and words in capitals are recognised by rules that approximate those of IFEval.',
    'Keywords are looked for as parts of words, as IFEval does: "key" is found in "keyboard".',
    'Prompts are in English; ten of 250 ask for an answer in one of six other European languages.',
  ],
  runner: 'inspect',
  capabilities: ['instruction following'],
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  citation: null,
  homepage: null,
  profiles: [
    {
      key: 'zero-shot',
      title: 'Zero-shot',
      summary: 'The prompt alone, as a user would send it.',
      split: 'test',
      systemPrompt: null,
      promptTemplate: '{prompt}',
      shotTemplate: null,
      shots: 0,
      generation: { temperature: 0, max_output_tokens: 1024, stop: [] },
      metrics,
      requires: ['chat'],
      chanceLevel: null,
      breakdowns: ['instructions', 'focus'],
    },
  ],
}

export const instructionFollowing: BundledBenchmark = { definition, version: versionOf(seed), generate: () => generate(seed) }
