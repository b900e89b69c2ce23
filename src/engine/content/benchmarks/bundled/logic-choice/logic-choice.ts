import type { BundledBenchmark } from '../../../../tasks/definition.ts'
import { choiceProfile } from '../../choice-profile.ts'
import { loglikelihoodProfile } from '../../loglikelihood-profile.ts'
import { generate } from './generate.ts'

const seed = 20261101
const version = `1.0.0-seed${seed}`

export const logicChoice: BundledBenchmark = {
  version,
  generate: () => generate(version, seed),
  definition: {
    slug: 'logic-choice',
    provider: 'assay',
    name: 'logic-choice',
    title: 'Logic, multiple choice',
    summary: 'Short puzzles of order, kinds, days and conditions with four choices, one of which follows.',
    description:
      'Whether a model sees what follows from a few sentences. It can be asked in two ways: by log-likelihood, where the endpoint tells how likely each ' +
      'choice is as a continuation, so that also a model that follows no instructions can be measured; and by letter, where the model answers in ' +
      'text. The two give different numbers and are never mixed: each is a profile of its own.',
    howMade:
      'By a generator in this repository: chains of comparisons, of kinds and of conditions, told in random order, and sums of days, with names and ' +
      'numbers drawn from a seed. One choice follows from the text; the others contradict it or do not follow. Their order is drawn too. The seed is ' +
      'part of the version.',
    knownLimits: [
      'Four kinds of puzzle in one wording each, so a model that was tuned on them would do better than on logic in the wild.',
      'By log-likelihood short choices such as names are compared as they are and also per character; the two can differ.',
      'English only, four choices always: blind guessing is right once in four.',
    ],
    runner: 'lm-eval',
    capabilities: ['logic', 'reasoning'],
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [
      { ...loglikelihoodProfile, chanceLevel: 0.25, breakdowns: ['kind'] },
      { ...choiceProfile, key: 'by-letter', chanceLevel: 0.25, breakdowns: ['kind'] },
    ],
  },
}
