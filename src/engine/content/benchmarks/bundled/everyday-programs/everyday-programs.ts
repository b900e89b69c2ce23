import type { BundledBenchmark } from '../../../../tasks/definition.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { codeProfile } from '../code-profile.ts'
import { generate, versionOf } from './generate.ts'

const seed = 20_261_101

/** Programs from one sentence and three assertions, graded as MBPP and MBPP+ are. */
export const everydayPrograms: BundledBenchmark = {
  version: versionOf(seed),
  generate: () => generate(seed),
  definition: {
    slug: 'everyday-programs',
    provider: 'assay',
    name: 'everyday-programs',
    title: 'Everyday programs',
    summary: 'Small Python programs asked for in one sentence with three assertions, run against those and further tests.',
    description:
      'Whether a model turns one sentence into a working function. The sentence comes with three assertions, which give the name and the form of the ' +
      'arguments. Base tests are those assertions and one that the sentence decides but they do not show; plus tests add sixteen inputs more.',
    howMade:
      'By a generator in this repository from six kinds of programs in seventeen variants each. The right values of the assertions come from the rule ' +
      'written a second time in another language, so a mistake in the reference would show. The seed draws the inputs.',
    knownLimits: [
      'The programs are of one to four lines; it tells weak models apart, not strong ones.',
      'Six kinds in many variants: tasks of one kind are mostly solved or missed together, so read the breakdown by topic.',
      'Three of the four base tests are shown to the model.',
    ],
    runner: 'evalplus_mbpp',
    capabilities: ['programming', 'python'],
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [
      codeProfile(
        '{prompt}\n\nYour function must pass these tests:\n{tests}\n\nAnswer with the function in one fenced block of Python.',
        [
          binaryMetric('plus_tests', 'Passes base and plus tests', 'evalplus/plus', { primary: true }),
          binaryMetric('base_tests', 'Passes the base tests', 'evalplus/base'),
        ],
        ['topic'],
      ),
    ],
  },
}
