import type { BundledBenchmark } from '../../../../tasks/definition.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { codeProfile } from '../code-profile.ts'
import { generate, versionOf } from './generate.ts'

const seed = 20_261_101

/** Programs on standard input and methods of a class, graded as LiveCodeBench does. */
export const contestProblems: BundledBenchmark = {
  version: versionOf(seed),
  generate: () => generate(seed),
  definition: {
    slug: 'contest-problems',
    provider: 'assay',
    name: 'contest-problems',
    title: 'Contest problems',
    summary: 'Small programming contest problems: programs that read standard input, and methods that are called.',
    description:
      'Whether a model solves a problem as it is set in programming contests: read a list of numbers, print one. Two thirds ask for a program, one third for ' +
      'a method of a class. A task counts as solved when every hidden test gives the expected output within six seconds, compared as LiveCodeBench does.',
    howMade:
      'By a generator in this repository from four kinds of problems in 26 variants each; half are simple counting, half need an idea such as remainders of ' +
      'running sums or a table of best results. Expected outputs come from a second solution in another language. The seed draws the tests.',
    knownLimits: [
      'Four kinds in many variants: a model that has one idea solves all variants that need it.',
      'Inputs are short, so slow solutions pass; real contests also test running time.',
      'Far easier than the problems of LiveCodeBench.',
      'As in LiveCodeBench the code must stand between the last two fences of the reply.',
    ],
    runner: 'livecodebench',
    capabilities: ['programming', 'python', 'algorithms'],
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [
      codeProfile(
        '{title}\n\n{statement}\n\n{form}\n\nAnswer with Python code in one fenced block at the end of your reply.',
        [binaryMetric('all_tests', 'Passes all tests', 'livecodebench/all_tests', { primary: true })],
        ['difficulty', 'test_type'],
      ),
    ],
  },
}
