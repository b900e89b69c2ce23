import type { BundledBenchmark } from '../../../../tasks/definition.ts'
import { binaryMetric } from '../../../../tasks/metric.ts'
import { codeProfile } from '../code-profile.ts'
import { generate, versionOf } from './generate.ts'

const seed = 20_261_122
const options = { language: 'javascript' }

/** Functions to complete from signature and description in JavaScript, graded as evalplus grades Python. */
export const javascriptFunctions: BundledBenchmark = {
  version: versionOf(seed),
  generate: () => generate(seed),
  definition: {
    slug: 'javascript-functions',
    provider: 'assay',
    name: 'javascript-functions',
    title: 'JavaScript functions',
    summary: 'Short JavaScript functions to write from their signature and description, run against base and plus tests.',
    description:
      'Whether a model writes a small function that does exactly what its description says. Base tests are three ordinary calls; plus tests add twelve more ' +
      'and the edges: empty arrays, negative numbers, ties, texts shorter than the step. Beside "Python functions" it shows whether a model writes one language ' +
      'better than the other, though the functions are not the same. Base and plus is the metric the benchmark is known by.',
    howMade:
      'By a generator in this repository from 12 kinds of functions in nine variants each. The seed draws the inputs of the tests; the right values come from the ' +
      'reference, run in the same sandbox as the candidate. Each task has a wrong solution that makes a common mistake, and its tests catch it.',
    knownLimits: [
      'The functions are short, one to ten lines; nothing about larger programs can be read from them.',
      'Variants of one kind differ in one number, so the tasks are twelve in substance.',
      'The language alone: no modules, no timers, no browser, no promises.',
      'Strong models solve nearly all of it.',
    ],
    runner: 'evalplus',
    capabilities: ['programming', 'javascript'],
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    citation: null,
    homepage: null,
    profiles: [
      codeProfile(
        'Complete this JavaScript function. Answer with the whole function in one fenced block of JavaScript.\n\n```javascript\n{prompt}```',
        [
          binaryMetric('plus_tests', 'Passes base and plus tests', 'evalplus/plus', { primary: true, options }),
          binaryMetric('base_tests', 'Passes the base tests', 'evalplus/base', { options }),
        ],
        ['topic'],
      ),
    ],
  },
}
